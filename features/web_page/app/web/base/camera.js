// Where the scene is seen from: a turntable about its focal point, with the world's z upright.

import { add, clamp, cross, dot, scaled, subtract, unit } from "./math.js";
import { file, valueAt } from "./scene.js";

const POLE_MARGIN = Math.PI / 1800;  // from the pole, where up would flip
const NARROWER = 0.25;  // the share of the width that goes for what else lies at the sides
const RETREAT = 1e4;  // a parallel camera counts depth from so many distances behind it

export function authoredCamera(time) {
  const { position, focal, up, angle } = file.camera;
  return {
    position: valueAt(position, time), focal: valueAt(focal, time), up: valueAt(up, time),
    angle: valueAt(angle, time)[0], isParallel: file.camera.isParallel,
  };
}

const distanceOf = (camera) => Math.hypot(...subtract(camera.position, camera.focal));

// The rows right, up and backward.
function axesOf(camera) {
  const backward = unit(subtract(camera.position, camera.focal));
  let right = cross(camera.up, backward);
  if (Math.hypot(...right) < 1e-9) {
    right = cross([0, 1, 0], backward);
  }
  right = unit(right);
  return [right, cross(backward, right), backward];
}

// World to pixels of the picture, y downward. In a picture that is higher than wide the angle is that of its width, or
// of somewhat less on a phone: scenes are laid out for pictures that show more at their sides.
export function projectionOf(camera, width, height) {
  const axes = axesOf(camera), distance = distanceOf(camera);
  const side = Math.min(width, height) * (1 - NARROWER * clamp(3 - (2.5 * width) / height, 0, 1));
  const focalPixels = (0.5 * side) / Math.tan(0.5 * camera.angle);
  function project(point) {
    const from = subtract(point, camera.position);
    const depth = -dot(axes[2], from) + (camera.isParallel ? RETREAT * distance : 0);
    const perMetre = focalPixels / (camera.isParallel ? distance : depth);
    return [0.5 * width + dot(axes[0], from) * perMetre, 0.5 * height - dot(axes[1], from) * perMetre, depth];
  }
  // From where and whereto one looks at a pixel.
  function ray(x, y) {
    const aside = add(scaled(axes[0], x - 0.5 * width), scaled(axes[1], 0.5 * height - y));
    return camera.isParallel
      ? { origin: add(camera.position, scaled(aside, distance / focalPixels)), direction: scaled(axes[2], -1) }
      : { origin: camera.position, direction: unit(subtract(aside, scaled(axes[2], focalPixels))) };
  }
  return { camera, axes, width, height, distance, focalPixels, metresPerPixel: distance / focalPixels, project, ray };
}

export function orbited(camera, azimuth, elevation) {
  const offset = subtract(camera.position, camera.focal), radius = Math.hypot(...offset);
  const isPolar = Math.hypot(offset[0], offset[1]) < 1e-9 * radius;
  const toward = scaled(camera.up, offset[2] > 0 ? -1 : 1);
  const theta = (isPolar ? Math.atan2(-toward[1], -toward[0]) : Math.atan2(offset[1], offset[0])) + azimuth;
  const limit = Math.PI / 2 - POLE_MARGIN;
  const phi = clamp(Math.asin(clamp(offset[2] / radius, -1, 1)) + elevation, -limit, limit);
  const direction = [Math.cos(phi) * Math.cos(theta), Math.cos(phi) * Math.sin(theta), Math.sin(phi)];
  return { ...camera, position: add(camera.focal, scaled(direction, radius)), up: [0, 0, 1] };
}

export function panned(projection, dx, dy) {
  const { camera, axes, metresPerPixel } = projection;
  const shift = scaled(subtract(scaled(axes[0], dx), scaled(axes[1], dy)), -metresPerPixel);
  return { ...camera, position: add(camera.position, shift), focal: add(camera.focal, shift) };
}

// Nearer by a factor; what lies under the pixel stays there.
export function zoomed(projection, factor, x, y) {
  const { camera, axes, width, height, metresPerPixel } = projection;
  const aside = scaled(axes[0], (x - width / 2) * metresPerPixel);
  const target = add(camera.focal, subtract(aside, scaled(axes[1], (y - height / 2) * metresPerPixel)));
  const nearer = (point) => add(target, scaled(subtract(point, target), 1 / factor));
  return { ...camera, position: nearer(camera.position), focal: nearer(camera.focal) };
}
