// What mouse, fingers and keys do with the camera.

import { orbited, panned, zoomed } from "../base/camera.js";
import { clamp } from "../base/math.js";

const RADIANS_PER_PIXEL = 0.008;
const ZOOM_PER_STEP = 1.15;
const KEY_TURN = Math.PI / 36;  // rad
const KEY_PAN = 40;  // pixels

// `look` gives the projection as it is, of each half of the picture where it is divided, and takes another camera; `grab`
// turns frames, where that can be.
export function attachHand(stage, look, grab) {
  const fingers = new Map();
  let follow = null;  // what turns a frame after the pointer
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const within = ([x, y]) => [x % look.projection().width, y];
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, wide: Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1) };
  };
  const isOnControl = (event) => event.target.closest("button, dialog, a, select, input");

  stage.addEventListener("pointerdown", (event) => {
    if (isOnControl(event)) {
      return;
    }
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    follow = fingers.size === 1 && event.button === 0 && !event.shiftKey
      ? grab?.begin(at(event), event.pointerType) ?? null : null;
  });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) {
      stage.classList.toggle("can-turn", Boolean(grab?.isOn(at(event), event.pointerType)));
      return;
    }
    if (follow !== null) {
      fingers.set(event.pointerId, at(event));
      follow(at(event));
      return;
    }
    if (fingers.size === 2) {
      const was = spread();
      fingers.set(event.pointerId, at(event));
      const is = spread();
      look.take(panned(look.projection(), is.x - was.x, is.y - was.y));
      look.take(zoomed(look.projection(), is.wide / was.wide, ...within([is.x, is.y])));
      return;
    }
    const now = at(event), [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    fingers.set(event.pointerId, now);
    const isPan = event.pointerType !== "touch" && (event.buttons !== 1 || event.shiftKey);
    look.take(isPan ? panned(look.projection(), dx, dy)
      : orbited(look.projection().camera, -dx * RADIANS_PER_PIXEL, dy * RADIANS_PER_PIXEL));
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    stage.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      follow = null;
    });
  }
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const steps = -event.deltaY / (event.deltaMode === 0 ? 100 : 3);
    look.take(zoomed(look.projection(), ZOOM_PER_STEP ** clamp(steps, -5, 5), ...within(at(event))));
  }, { passive: false });
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== stage) {
      return;
    }
    const aside = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const nearer = { "+": 1, "=": 1, "-": -1, "_": -1 }[event.key];
    const projection = look.projection();
    if (aside) {
      look.take(event.shiftKey ? panned(projection, -KEY_PAN * aside[0], KEY_PAN * aside[1])
        : orbited(projection.camera, KEY_TURN * aside[0], KEY_TURN * aside[1]));
    } else if (nearer) {
      look.take(zoomed(projection, ZOOM_PER_STEP ** nearer, projection.width / 2, projection.height / 2));
    } else {
      return;
    }
    event.preventDefault();
  });
}
