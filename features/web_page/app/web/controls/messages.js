// Messages between a page of a scene and the page around it.

import { isNumber, isText, makeHost } from "../base/host.js";
import { motion } from "../base/motion.js";
import { file } from "../base/scene.js";
import { cameraOf } from "./address.js";
import { parts } from "./parts.js";

/** @param {PageFace} face @param {string | null} named */
export function makeMessages(face, named) {
  const title = document.title, frames = file.frames.map(({ name }) => name);
  /** @param {unknown} name */
  const frameOf = (name) => (isText(name) && frames.includes(name) ? name : null);
  return makeHost(file.hosts, named, {
    seek: ({ time }) => (isNumber(time) ? face.seek(time) : undefined),
    play({ from = face.time(), speed = 1 }) {
      if (isNumber(from) && isNumber(speed)) {
        face.play(from, speed);
      }
    },
    pause: () => face.seek(face.time()),
    parameter({ name, value }) {
      if (isText(name) && isNumber(value)) {
        face.setParameter(name, value);
      }
    },
    select({ frame, relative = null, resolved = null }) {
      const names = [frame, relative, resolved].map(frameOf);
      if (names[0] !== null) {
        face.select(names[0], names[1], names[2]);
      }
    },
    camera({ position, focal, up = [0, 0, 1] }) {
      const camera = cameraOf(position, focal, up);
      if (camera !== null || position === null) {
        face.setCamera(camera);
      }
    },
    state: ({ state }) => (isText(state) ? face.restore(state) : undefined),
  }, () => ({
    title, frames, start: file.start, stop: file.stop, state: face.state(),
    parameters: motion === null ? {} : Object.fromEntries(motion.names.map((name, i) => [name, motion?.parameters[i]])),
  }));
}

parts.makeMessages = makeMessages;
