// The camera: it orbits its focal point, with the world's z upright.

import { add, clamp, cross, dot, scale, subtract, unit } from "./math.js";
import { file, valueAt } from "./scene.js";

const POLE_MARGIN = Math.PI / 1800;  // from the pole, where up would flip
const NARROWER = 0.25;  // share of the width that is left free at the sides of a narrow picture
const RETREAT = 1e4;  // distances behind a parallel camera from which it counts depth

// Return the camera of the scene.
/** @param {number} time @returns {Camera} */
export function authoredCamera(time) {
  const { position, focal, up, angle } = file.camera;
  return {
    position: valueAt(position, time), focal: valueAt(focal, time), up: valueAt(up, time),
    angle: valueAt(angle, time)[0], isParallel: file.camera.isParallel,
  };
}

/** @param {Camera} camera */
const distanceOf = (camera) => Math.hypot(...subtract(camera.position, camera.focal));

// Return the directions right, up and backward.
/** @param {Camera} camera */
function axesOf(camera) {
  const backward = unit(subtract(camera.position, camera.focal));
  let right = cross(camera.up, backward);
  if (Math.hypot(...right) < 1e-9) {
    right = cross([0, 1, 0], backward);
  }
  right = unit(right);
  return [right, cross(backward, right), backward];
}

// Return the projection from world to pixels of the picture, y downward. In a picture that is higher than wide the
// angle of view is that of its width, and of less on a phone: scenes are laid out for pictures with more room at the
// sides.
/** @param {Camera} camera @param {number} width @param {number} height */
export function projectionOf(camera, width, height) {
  const axes = axesOf(camera), distance = distanceOf(camera);
  const side = Math.min(width, height) * (1 - NARROWER * clamp(3 - (2.5 * width) / height, 0, 1));
  const focalPixels = (0.5 * side) / Math.tan(0.5 * camera.angle);
  /** @param {Vector} point @returns {Pixels} */
  function project(point) {
    const from = subtract(point, camera.position);
    const depth = -dot(axes[2], from) + (camera.isParallel ? RETREAT * distance : 0);
    const perMetre = focalPixels / (camera.isParallel ? distance : depth);
    return [0.5 * width + dot(axes[0], from) * perMetre, 0.5 * height - dot(axes[1], from) * perMetre, depth];
  }
  // Return origin and direction of the line of sight through a pixel.
  /** @param {number} x @param {number} y */
  function ray(x, y) {
    const aside = add(scale(axes[0], x - 0.5 * width), scale(axes[1], 0.5 * height - y));
    return camera.isParallel
      ? { origin: add(camera.position, scale(aside, distance / focalPixels)), direction: scale(axes[2], -1) }
      : { origin: camera.position, direction: unit(subtract(aside, scale(axes[2], focalPixels))) };
  }
  return { camera, axes, width, height, distance, focalPixels, metresPerPixel: distance / focalPixels, project, ray };
}

/** @param {Camera} camera @param {number} azimuth @param {number} elevation @returns {Camera} */
export function orbit(camera, azimuth, elevation) {
  const offset = subtract(camera.position, camera.focal), radius = Math.hypot(...offset);
  const isPolar = Math.hypot(offset[0], offset[1]) < 1e-9 * radius;
  const toward = scale(camera.up, offset[2] > 0 ? -1 : 1);
  const theta = (isPolar ? Math.atan2(-toward[1], -toward[0]) : Math.atan2(offset[1], offset[0])) + azimuth;
  const limit = Math.PI / 2 - POLE_MARGIN;
  const phi = clamp(Math.asin(clamp(offset[2] / radius, -1, 1)) + elevation, -limit, limit);
  const direction = [Math.cos(phi) * Math.cos(theta), Math.cos(phi) * Math.sin(theta), Math.sin(phi)];
  return { ...camera, position: add(camera.focal, scale(direction, radius)), up: [0, 0, 1] };
}

/** @param {Projection} projection @param {number} dx @param {number} dy @returns {Camera} */
export function pan(projection, dx, dy) {
  const { camera, axes, metresPerPixel } = projection;
  const shift = scale(subtract(scale(axes[0], dx), scale(axes[1], dy)), -metresPerPixel);
  return { ...camera, position: add(camera.position, shift), focal: add(camera.focal, shift) };
}

// Move the camera nearer by a factor; the point under a pixel stays there.
/** @param {Projection} projection @param {number} factor @param {number} x @param {number} y @returns {Camera} */
export function zoom(projection, factor, x, y) {
  const { camera, axes, width, height, metresPerPixel } = projection;
  const aside = scale(axes[0], (x - width / 2) * metresPerPixel);
  const target = add(camera.focal, subtract(aside, scale(axes[1], (y - height / 2) * metresPerPixel)));
  /** @param {Vector} point */
  const nearer = (point) => add(target, scale(subtract(point, target), 1 / factor));
  return { ...camera, position: nearer(camera.position), focal: nearer(camera.focal) };
}
