// The picture, by WebGL 2. All of it is relative to the camera's position, so that no digits are lost far from the origin.

import { add, dot, scaled, subtract } from "../base/math.js";
import { pathBetween } from "../base/poses.js";
import { file, ORIGIN } from "../base/scene.js";
import { GROUND_FRAGMENT, GROUND_VERTEX, LINE_FRAGMENT, LINE_VERTEX, MESH_FRAGMENT, MESH_VERTEX } from "./shaders.js";
import { hexColor } from "./strips.js";

const GRID_LINES = 9;  // coarse lines on each side of the origin
const GRID_FIFTHS = 5;  // fine cells in a coarse one
const SORTED = 20000;  // triangles of a translucent shape that are put in order
const TRAIL_POINTS = 160;
const LINE_WIDTH = 1.5;

export function makeRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  if (!gl) {
    return null;
  }
  const mesh = program(MESH_VERTEX, MESH_FRAGMENT), line = program(LINE_VERTEX, LINE_FRAGMENT);
  const ground = program(GROUND_VERTEX, GROUND_FRAGMENT);
  const empty = gl.createVertexArray(), instances = gl.createBuffer();
  const shapes = file.shapes.map((shape) => (shape.isLines ? lineShape(shape) : meshShape(shape)));
  const users = file.shapes.map(() => []);
  file.nodes.forEach((node, i) => node.shapes.forEach((shape) => users[shape].push(i)));
  const strip = lineBuffer(), grid = gridLines(), gridStrips = grid.map(() => lineBuffer());
  let theme = null, gridSeen = true, view = null;

  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(made) || "A shader does not link.");
    }
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(made, i).name;
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  }

  function attribute(location, data, size, kind, isNormalized, target = gl.ARRAY_BUFFER) {
    gl.bindBuffer(target, gl.createBuffer());
    gl.bufferData(target, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, kind, isNormalized, 0, 0);
  }

  function meshShape(shape) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    attribute(0, shape.points, 3, gl.FLOAT, false);
    if (shape.normals) {
      attribute(1, shape.normals, 4, gl.BYTE, true);
    }
    const tints = gl.createBuffer();
    if (shape.tints) {
      gl.bindBuffer(gl.ARRAY_BUFFER, tints);
      gl.enableVertexAttribArray(2);
      gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (let i = 0; i < 4; i++) {
      gl.enableVertexAttribArray(3 + i);
      gl.vertexAttribPointer(3 + i, 3, gl.FLOAT, false, 48, 12 * i);
      gl.vertexAttribDivisor(3 + i, 1);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, shape.cells, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    const kind = shape.cells instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    return { shape, array, tints, kind, center: middleOf(shape.points) };
  }

  function lineShape(shape) {
    const buffer = lineBuffer(), rows = [];
    for (let i = 0; i < shape.cells.length; i++) {
      rows.push([...shape.points.subarray(3 * shape.cells[i], 3 * shape.cells[i] + 3)]);
    }
    return { shape, buffer, rows, center: middleOf(shape.points) };
  }

  function middleOf(points) {
    let sum = [0, 0, 0];
    for (let i = 0; i < points.length; i += 3) {
      sum = add(sum, points.subarray(i, i + 3));
    }
    return scaled(sum, 3 / points.length);
  }

  function lineBuffer() {
    const array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    [[3, 0], [3, 28], [4, 12], [4, 40]].forEach(([size, at], location) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 56, at);
      gl.vertexAttribDivisor(location, 1);
    });
    gl.bindVertexArray(null);
    return { array, buffer, count: 0 };
  }

  // Ends two by two, each a point; colors the same.
  function fillLines(strip, points, colors) {
    const data = new Float32Array(7 * points.length);
    points.forEach((point, i) => {
      data.set(point, 7 * i);
      data.set(colors[i], 7 * i + 3);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, strip.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    strip.count = points.length / 2;
  }

  function gridLines() {
    const half = GRID_LINES * GRID_FIFTHS, fine = [], coarse = [];
    for (let i = -half; i <= half; i++) {
      const at = (i / GRID_FIFTHS) * file.grid, radius = GRID_LINES * file.grid;
      const reach = Math.sqrt(Math.max(radius * radius - at * at, 0));
      const ends = [[-reach, at, 0], [reach, at, 0], [at, -reach, 0], [at, reach, 0]];
      (i % GRID_FIFTHS === 0 ? coarse : fine).push(...ends);
    }
    return [fine, coarse];
  }

  function setTheme(chosen, isOther) {
    theme = chosen;
    for (const { shape, tints, buffer, rows } of shapes) {
      shape.shown = isOther ? shape.otherColor : shape.color;
      if (shape.tints) {
        gl.bindBuffer(gl.ARRAY_BUFFER, tints);
        gl.bufferData(gl.ARRAY_BUFFER, isOther ? shape.otherTints : shape.tints, gl.STATIC_DRAW);
      }
      if (rows) {
        fillLines(buffer, rows, rows.map(() => shape.shown));
      }
    }
    const color = hexColor(theme.is_dark ? "#8FA0B4" : "#5B6F86");
    const strengths = theme.is_dark ? [0.13, 0.34] : [0.17, 0.42];
    grid.forEach((ends, i) => fillLines(gridStrips[i], ends, ends.map(() => [...color, strengths[i]])));
  }

  // Near and far follow the scene; near never falls so low that faces that touch would flicker.
  function clippingOf(projection, bounds) {
    const { camera, axes } = projection;
    const reach = Math.hypot(...bounds.center) + 3 * bounds.radius + 10 * file.grid;
    const depth = -dot(axes[2], subtract(bounds.center, camera.position));
    if (camera.isParallel) {
      return [depth - reach, depth + reach];
    }
    const far = Math.max(depth + reach, 1e-3);
    return [Math.max(depth - reach, far / 5000), far];
  }

  function matrixOf(projection, bounds) {
    const { camera, width, height, focalPixels, distance } = projection;
    const [near, far] = clippingOf(projection, bounds);
    const x = (2 * focalPixels) / width, y = (2 * focalPixels) / height, deep = far - near;
    return camera.isParallel
      ? [x / distance, 0, 0, 0, 0, y / distance, 0, 0, 0, 0, -2 / deep, 0, 0, 0, -(far + near) / deep, 1]
      : [x, 0, 0, 0, 0, y, 0, 0, 0, 0, -(far + near) / deep, -1, 0, 0, (-2 * far * near) / deep, 0];
  }

  // Axes and origin of a pose, seen from the camera.
  function seen({ R, p, size }) {
    const from = subtract(p, view.camera.position), found = [];
    for (let column = 0; column < 3; column++) {
      const axis = [R[column] * size[column], R[3 + column] * size[column], R[6 + column] * size[column]];
      found.push(...view.axes.map((row) => dot(row, axis)));
    }
    found.push(...view.axes.map((row) => dot(row, from)));
    return found;
  }

  function drawMesh(made, poses) {
    const { shape } = made;
    gl[shape.isClosed ? "enable" : "disable"](gl.CULL_FACE);
    const data = new Float32Array(12 * poses.length);
    poses.forEach((pose, i) => data.set(seen(pose), 12 * i));
    gl.bindVertexArray(made.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    if (!shape.normals) {
      gl.vertexAttrib4f(1, 0, 0, 1, 0);
    }
    if (!shape.tints) {
      gl.vertexAttrib4f(2, ...shape.shown);
    }
    gl.uniform1i(mesh.uniforms.isLit, shape.normals ? 1 : 0);
    gl.drawElementsInstanced(gl.TRIANGLES, shape.cells.length, made.kind, 0, poses.length);
  }

  function drawLines(strip, width, place, fadeRadius = 0) {
    if (strip.count) {
      gl.uniform1f(line.uniforms.width, width * view.ratio);
      gl.uniform1f(line.uniforms.fadeRadius, fadeRadius);
      gl.uniformMatrix4fv(line.uniforms.place, false, place);
      gl.bindVertexArray(strip.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, strip.count);
    }
  }

  function placeMatrix(pose) {
    const m = seen(pose);
    return [...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6, 9), 0, ...m.slice(9, 12), 1];
  }

  // The triangles of a shape from the farthest to the nearest.
  function sortTriangles(made, pose) {
    const { cells, points } = made.shape, m = seen(pose), depths = new Float32Array(points.length / 3);
    for (let i = 0; i < depths.length; i++) {
      depths[i] = m[2] * points[3 * i] + m[5] * points[3 * i + 1] + m[8] * points[3 * i + 2];
    }
    const count = cells.length / 3, order = Array.from({ length: count }, (_, i) => i);
    const depth = order.map((i) => depths[cells[3 * i]] + depths[cells[3 * i + 1]] + depths[cells[3 * i + 2]]);
    order.sort((a, b) => depth[a] - depth[b]);
    const sorted = new cells.constructor(cells.length);
    order.forEach((from, i) => sorted.set(cells.subarray(3 * from, 3 * from + 3), 3 * i));
    gl.bindVertexArray(made.array);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, sorted);
  }

  function drawStrips(poses, time) {
    const points = [], colors = [], still = placeMatrix(ORIGIN);
    const [quiet, blue] = [hexColor(theme.link), hexColor(theme.frame_a)];
    for (const { node, parent } of file.links) {
      const from = parent < 0 ? ORIGIN : poses[parent];
      if (poses[node].isSeen && from.isSeen) {
        points.push(from.p, poses[node].p);
        colors.push([...quiet, 1], [...quiet, 1]);
      }
    }
    fillLines(strip, points, colors);
    drawLines(strip, 1, still);
    for (const { node, duration } of file.trails) {
      const from = Math.max(file.start, time - duration), ends = [], tints = [];
      const path = pathBetween(node, from, Math.max(time, from), TRAIL_POINTS);
      for (let i = 1; i < path.length; i++) {
        ends.push(path[i - 1], path[i]);
        tints.push(...[i - 1, i].map((k) => [...blue, (0.9 * k) / (TRAIL_POINTS - 1)]));
      }
      fillLines(strip, ends, tints);
      drawLines(strip, 2, still);
    }
  }

  function drawTranslucent(poses) {
    const parts = [];
    shapes.forEach((made, index) => {
      if (made.shape.shown[3] < 1) {
        users[index].filter((node) => poses[node].isSeen).forEach((node) => {
          const pose = poses[node], m = seen(pose), [x, y, z] = made.center;
          parts.push({ made, pose, depth: m[2] * x + m[5] * y + m[8] * z + m[11] });
        });
      }
    });
    parts.sort((a, b) => a.depth - b.depth);
    for (const { made, pose } of parts) {
      if (made.rows) {
        gl.useProgram(line.made);
        drawLines(made.buffer, LINE_WIDTH, placeMatrix(pose));
      } else {
        if (made.shape.cells.length <= 3 * SORTED) {
          sortTriangles(made, pose);
        }
        gl.useProgram(mesh.made);
        drawMesh(made, [pose]);
      }
    }
  }

  // `half` is 1 for the right half of a picture that is divided.
  function draw(projection, bounds, poses, time, strips, half = 0) {
    const ratio = canvas.height / projection.height, edge = (k) => Math.round(k * projection.width * ratio);
    const left = edge(half), right = edge(half + 1);
    view = { camera: projection.camera, axes: projection.axes, ratio };
    const matrix = matrixOf(projection, bounds);
    gl.viewport(left, 0, right - left, canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, 0, right - left, canvas.height);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.useProgram(ground.made);
    gl.uniform3fv(ground.uniforms.top, hexColor(theme.scene_top));
    gl.uniform3fv(ground.uniforms.bottom, hexColor(theme.scene_bottom));
    gl.bindVertexArray(empty);
    gl.disable(gl.CULL_FACE);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(line.made);
    gl.uniformMatrix4fv(line.uniforms.projection, false, matrix);
    gl.uniform2f(line.uniforms.viewport, right - left, canvas.height);
    if (gridSeen) {
      gridStrips.forEach((each) => drawLines(each, 1, placeMatrix(ORIGIN), GRID_LINES * file.grid));
    }
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.useProgram(mesh.made);
    gl.uniformMatrix4fv(mesh.uniforms.projection, false, matrix);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);  // edges lie in front of the faces they bound
    shapes.forEach((made, index) => {
      const shown = made.rows || made.shape.shown[3] < 1 ? [] : users[index].map((i) => poses[i]).filter((p) => p.isSeen);
      if (shown.length) {
        drawMesh(made, shown);
      }
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.CULL_FACE);
    gl.useProgram(line.made);
    shapes.forEach((made, index) => {
      if (made.rows && made.shape.shown[3] === 1) {
        users[index].filter((i) => poses[i].isSeen)
          .forEach((i) => drawLines(made.buffer, LINE_WIDTH, placeMatrix(poses[i])));
      }
    });
    gl.depthMask(false);
    drawStrips(poses, time);
    for (const { width, points, colors } of strips) {
      fillLines(strip, points, colors);
      drawLines(strip, width, placeMatrix(ORIGIN));
    }
    drawTranslucent(poses);
    gl.depthMask(true);
  }

  return { draw, setTheme, showGrid: (isSeen) => { gridSeen = isSeen; } };
}
