// Moving the camera by mouse, fingers and keys.

import { orbit, pan, zoom } from "../base/camera.js";
import { clamp } from "../base/math.js";

const RADIANS_PER_PIXEL = 0.008;
const ZOOM_PER_STEP = 1.15;
const KEY_TURN = Math.PI / 36;  // rad
const KEY_PAN = 40;  // pixels

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
/** @type {Record<string, number>} */
const ZOOMS = { "+": 1, "=": 1, "-": -1, "_": -1 };

// Let the stage take events. `look` gives the projection of a half of the picture, and takes another camera. `grab`
// turns frames; it is null where none can be turned. A picture that `waits` takes the wheel, and fingers that go up or
// down, only after it has been clicked, until Escape or until the pointer leaves the page: before, they scroll the page
// around.
/**
 * @param {HTMLElement} stage
 * @param {{ projection: () => Projection, take: (camera: Camera) => void }} look
 * @param {Grab | null} grab
 * @param {boolean} waits
 */
export function attachHand(stage, look, grab, waits) {
  /** @type {Map<number, Pixels>} */
  const fingers = new Map();
  /** @type {((place: Pixels) => void) | null} */
  let follow = null;  // turns a frame after the pointer
  let isHeld = !waits;
  /** @param {boolean} isOn */
  function hold(isOn) {
    isHeld = isOn || !waits;
    stage.classList.toggle("waits", !isHeld);
    stage.classList.toggle("is-held", isHeld && waits);
  }
  hold(false);
  if (waits) {
    stage.addEventListener("click", (event) => (isOnControl(event) ? undefined : hold(true)));
    document.addEventListener("keydown", ({ key }) => (key === "Escape" ? hold(false) : undefined));
    document.documentElement.addEventListener("pointerleave", ({ pointerType }) => (
      pointerType === "mouse" ? hold(false) : undefined));
    window.addEventListener("blur", () => hold(false));
    stage.addEventListener("touchstart", (event) => {  // a finger on a tip turns it, and does not scroll
      const [{ clientX, clientY }] = event.touches, box = stage.getBoundingClientRect();
      if (grab?.isOn([clientX - box.left, clientY - box.top], "touch")) {
        event.preventDefault();
      }
    }, { passive: false });
  }
  /** @param {MouseEvent} event */
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  /** @param {Pixels} place */
  const within = ([x, y]) => [x % look.projection().width, y];
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, wide: Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1) };
  };
  /** @param {Event} event */
  const isOnControl = ({ target }) => (
    target instanceof Element && target.closest("button, dialog, a, select, input") !== null);

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
      const is = spread(), [x, y] = within([is.x, is.y]);
      look.take(pan(look.projection(), is.x - was.x, is.y - was.y));
      look.take(zoom(look.projection(), is.wide / was.wide, x, y));
      return;
    }
    const now = at(event), [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    fingers.set(event.pointerId, now);
    const isPan = event.pointerType !== "touch" && (event.buttons !== 1 || event.shiftKey);
    look.take(isPan ? pan(look.projection(), dx, dy)
      : orbit(look.projection().camera, -dx * RADIANS_PER_PIXEL, dy * RADIANS_PER_PIXEL));
  });
  /** @param {PointerEvent} event */
  function letGo(event) {
    fingers.delete(event.pointerId);
    follow = null;
  }

  stage.addEventListener("pointerup", letGo);
  stage.addEventListener("pointercancel", letGo);
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("wheel", (event) => {
    if (!isHeld) {
      return;
    }
    event.preventDefault();
    const steps = -event.deltaY / (event.deltaMode === 0 ? 100 : 3), [x, y] = within(at(event));
    look.take(zoom(look.projection(), ZOOM_PER_STEP ** clamp(steps, -5, 5), x, y));
  }, { passive: false });
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== stage) {
      return;
    }
    const aside = DIRECTIONS[event.key], nearer = ZOOMS[event.key];
    const projection = look.projection();
    if (aside) {
      look.take(event.shiftKey ? pan(projection, -KEY_PAN * aside[0], KEY_PAN * aside[1])
        : orbit(projection.camera, KEY_TURN * aside[0], KEY_TURN * aside[1]));
    } else if (nearer) {
      look.take(zoom(projection, ZOOM_PER_STEP ** nearer, projection.width / 2, projection.height / 2));
    } else {
      return;
    }
    event.preventDefault();
  });
}
