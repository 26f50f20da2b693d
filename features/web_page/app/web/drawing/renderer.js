// The picture, by WebGL 2. Places are relative to the camera's position, so that no digits are lost far from the
// origin.

import { add, dot, scale, subtract } from "../base/math.js";
import { pathBetween } from "../base/poses.js";
import { file, ORIGIN, sceneShapes } from "../base/scene.js";
import { GROUND_FRAGMENT, GROUND_VERTEX, LINE_FRAGMENT, LINE_VERTEX, MESH_FRAGMENT, MESH_VERTEX } from "./shaders.js";
import { hexColor } from "./strips.js";

const GRID_LINES = 9;  // coarse lines on each side of the origin
const GRID_FIFTHS = 5;  // fine cells in a coarse one
const SORTED = 20000;  // triangles up to which a translucent shape is sorted
const TRAIL_POINTS = 160;
const LINE_WIDTH = 1.5;

/** @typedef {{ array: WebGLVertexArrayObject, buffer: WebGLBuffer, count: number }} LineBuffer */
/** @typedef {{ shape: Shape, shown: number[], center: Vector }} DrawnShape */
/** @typedef {{ array: WebGLVertexArrayObject, tints: WebGLBuffer, kind: number, rows: null, buffer: null }} MeshBuffers */
/** @typedef {DrawnShape & MeshBuffers} DrawnMesh */
/** @typedef {DrawnShape & { buffer: LineBuffer, rows: Vector[], tints: null }} DrawnLines */

// Return a renderer; null where the browser has no WebGL 2.
/** @param {HTMLCanvasElement} canvas */
export function makeRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  return gl && rendererOn(canvas, gl);
}

/** @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl */
function rendererOn(canvas, gl) {
  const mesh = program(MESH_VERTEX, MESH_FRAGMENT), line = program(LINE_VERTEX, LINE_FRAGMENT);
  const ground = program(GROUND_VERTEX, GROUND_FRAGMENT);
  const empty = gl.createVertexArray(), instances = gl.createBuffer();
  const shapes = sceneShapes.map((shape) => (shape.isLines ? lineShape(shape) : meshShape(shape)));
  /** @type {number[][]} */
  const users = shapes.map(() => []);
  file.nodes.forEach((node, i) => node.shapes.forEach((shape) => users[shape].push(i)));
  const strip = lineBuffer(), grid = gridLines(), gridStrips = grid.map(() => lineBuffer());
  let theme = file.themes[file.theme], isGridSeen = true;
  /** @type {{ camera: Camera, axes: Vector[], ratio: number }} */
  let view;

  // Return a program of two shaders, and its uniforms by name.
  /** @param {string} vertex @param {string} fragment */
  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const source of [vertex, fragment]) {
      const shader = gl.createShader(source === vertex ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER);
      if (shader === null) {  // the context is lost
        continue;
      }
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(made) || "A shader does not link.");
    }
    /** @type {Record<string, WebGLUniformLocation | null>} */
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(made, i)?.name;
      if (name !== undefined) {
        uniforms[name] = gl.getUniformLocation(made, name);
      }
    }
    return { made, uniforms };
  }

  /**
   * @param {number} location
   * @param {NumberArray} data
   * @param {number} size
   * @param {number} kind
   * @param {boolean} isNormalized
   */
  function attribute(location, data, size, kind, isNormalized) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, kind, isNormalized, 0, 0);
  }

  /** @param {Shape} shape @returns {DrawnMesh} */
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
    return { shape, array, tints, kind, shown: shape.color, center: middleOf(shape.points), rows: null, buffer: null };
  }

  /** @param {Shape} shape @returns {DrawnLines} */
  function lineShape(shape) {
    const buffer = lineBuffer(), rows = [];
    for (let i = 0; i < shape.cells.length; i++) {
      rows.push([...shape.points.subarray(3 * shape.cells[i], 3 * shape.cells[i] + 3)]);
    }
    return { shape, buffer, rows, shown: shape.color, center: middleOf(shape.points), tints: null };
  }

  /** @param {Float32Array} points */
  function middleOf(points) {
    let sum = [0, 0, 0];
    for (let i = 0; i < points.length; i += 3) {
      sum = add(sum, points.subarray(i, i + 3));
    }
    return scale(sum, 3 / points.length);
  }

  /** @returns {LineBuffer} */
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

  // Fill a buffer with lines: their ends two by two, and the colour of each end.
  /** @param {LineBuffer} strip @param {ArrayLike<number>[]} points @param {ArrayLike<number>[]} colors */
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
    const half = GRID_LINES * GRID_FIFTHS;
    /** @type {Vector[]} */
    const fine = [];
    /** @type {Vector[]} */
    const coarse = [];
    for (let i = -half; i <= half; i++) {
      const at = (i / GRID_FIFTHS) * file.grid, radius = GRID_LINES * file.grid;
      const reach = Math.sqrt(Math.max(radius * radius - at * at, 0));
      const ends = [[-reach, at, 0], [reach, at, 0], [at, -reach, 0], [at, reach, 0]];
      (i % GRID_FIFTHS === 0 ? coarse : fine).push(...ends);
    }
    return [fine, coarse];
  }

  /** @param {Theme} chosen @param {boolean} isOther */
  function setTheme(chosen, isOther) {
    theme = chosen;
    for (const drawn of shapes) {
      const { shape } = drawn;
      drawn.shown = isOther ? shape.otherColor : shape.color;
      if (shape.tints) {
        gl.bindBuffer(gl.ARRAY_BUFFER, drawn.tints);
        gl.bufferData(gl.ARRAY_BUFFER, isOther ? shape.otherTints : shape.tints, gl.STATIC_DRAW);
      }
      if (drawn.rows) {
        fillLines(drawn.buffer, drawn.rows, drawn.rows.map(() => drawn.shown));
      }
    }
    const color = hexColor(theme.is_dark ? "#8FA0B4" : "#5B6F86");
    const strengths = theme.is_dark ? [0.13, 0.34] : [0.17, 0.42];
    grid.forEach((ends, i) => fillLines(gridStrips[i], ends, ends.map(() => [...color, strengths[i]])));
  }

  // Return the near and the far plane. They follow the scene; near is never so low that touching faces flicker.
  /** @param {Projection} projection @param {Bounds} bounds */
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

  /** @param {Projection} projection @param {Bounds} bounds */
  function matrixOf(projection, bounds) {
    const { camera, width, height, focalPixels, distance } = projection;
    const [near, far] = clippingOf(projection, bounds);
    const x = (2 * focalPixels) / width, y = (2 * focalPixels) / height, deep = far - near;
    return camera.isParallel
      ? [x / distance, 0, 0, 0, 0, y / distance, 0, 0, 0, 0, -2 / deep, 0, 0, 0, -(far + near) / deep, 1]
      : [x, 0, 0, 0, 0, y, 0, 0, 0, 0, -(far + near) / deep, -1, 0, 0, (-2 * far * near) / deep, 0];
  }

  // Return the axes and the origin of a pose in the axes of the camera, column by column.
  /** @param {Pose} pose */
  function axesSeen({ R, p, size }) {
    const from = subtract(p, view.camera.position), columns = [];
    for (let column = 0; column < 3; column++) {
      const axis = [R[column] * size[column], R[3 + column] * size[column], R[6 + column] * size[column]];
      columns.push(...view.axes.map((row) => dot(row, axis)));
    }
    columns.push(...view.axes.map((row) => dot(row, from)));
    return columns;
  }

  /** @param {DrawnMesh} made @param {Pose[]} poses */
  function drawMesh(made, poses) {
    const { shape } = made;
    if (shape.isClosed) {
      gl.enable(gl.CULL_FACE);
    } else {
      gl.disable(gl.CULL_FACE);
    }
    const data = new Float32Array(12 * poses.length);
    poses.forEach((pose, i) => data.set(axesSeen(pose), 12 * i));
    gl.bindVertexArray(made.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    if (!shape.normals) {
      gl.vertexAttrib4f(1, 0, 0, 1, 0);
    }
    if (!shape.tints) {
      gl.vertexAttrib4fv(2, made.shown);
    }
    gl.uniform1i(mesh.uniforms.isLit, shape.normals ? 1 : 0);
    gl.drawElementsInstanced(gl.TRIANGLES, shape.cells.length, made.kind, 0, poses.length);
  }

  /** @param {LineBuffer} strip @param {number} width @param {number[]} place @param {number} fadeRadius */
  function drawLines(strip, width, place, fadeRadius = 0) {
    if (strip.count) {
      gl.uniform1f(line.uniforms.width, width * view.ratio);
      gl.uniform1f(line.uniforms.fadeRadius, fadeRadius);
      gl.uniformMatrix4fv(line.uniforms.place, false, place);
      gl.bindVertexArray(strip.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, strip.count);
    }
  }

  /** @param {Pose} pose */
  function placeMatrix(pose) {
    const m = axesSeen(pose);
    return [...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6, 9), 0, ...m.slice(9, 12), 1];
  }

  // Sort the triangles of a shape from the farthest to the nearest.
  /** @param {DrawnMesh} made @param {Pose} pose */
  function sortTriangles(made, pose) {
    const { cells, points } = made.shape, m = axesSeen(pose), depths = new Float32Array(points.length / 3);
    for (let i = 0; i < depths.length; i++) {
      depths[i] = m[2] * points[3 * i] + m[5] * points[3 * i + 1] + m[8] * points[3 * i + 2];
    }
    const count = cells.length / 3, order = Array.from({ length: count }, (_, i) => i);
    const depth = order.map((i) => depths[cells[3 * i]] + depths[cells[3 * i + 1]] + depths[cells[3 * i + 2]]);
    order.sort((a, b) => depth[a] - depth[b]);
    const sorted = cells.slice();
    order.forEach((from, i) => sorted.set(cells.subarray(3 * from, 3 * from + 3), 3 * i));
    gl.bindVertexArray(made.array);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, sorted);
  }

  // Draw the links between frames, and the trails.
  /** @param {Poses} poses @param {number} time */
  function drawStrips(poses, time) {
    const points = [], colors = [], still = placeMatrix(ORIGIN);
    const [quiet, blue] = [theme.link, theme.frame_a].map((color) => hexColor(String(color)));
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

  // Draw translucent shapes from the farthest to the nearest.
  /** @param {Poses} poses */
  function drawTranslucent(poses) {
    /** @type {{ made: DrawnMesh | DrawnLines, pose: Pose, depth: number }[]} */
    const parts = [];
    shapes.forEach((made, index) => {
      if (made.shown[3] < 1) {
        users[index].filter((node) => poses[node].isSeen).forEach((node) => {
          const pose = poses[node], m = axesSeen(pose), [x, y, z] = made.center;
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

  // Draw the picture; `half` is 1 for the right half of a picture that is divided.
  /**
   * @param {Projection} projection
   * @param {Bounds} bounds
   * @param {Poses} poses
   * @param {number} time
   * @param {Strip[]} strips
   * @param {number} half
   */
  function draw(projection, bounds, poses, time, strips, half = 0) {
    const ratio = canvas.height / projection.height;
    /** @param {number} k */
    const edge = (k) => Math.round(k * projection.width * ratio);
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
    gl.uniform3fv(ground.uniforms.top, hexColor(String(theme.scene_top)));
    gl.uniform3fv(ground.uniforms.bottom, hexColor(String(theme.scene_bottom)));
    gl.bindVertexArray(empty);
    gl.disable(gl.CULL_FACE);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(line.made);
    gl.uniformMatrix4fv(line.uniforms.projection, false, matrix);
    gl.uniform2f(line.uniforms.viewport, right - left, canvas.height);
    if (isGridSeen) {
      gridStrips.forEach((lines) => drawLines(lines, 1, placeMatrix(ORIGIN), GRID_LINES * file.grid));
    }
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.useProgram(mesh.made);
    gl.uniformMatrix4fv(mesh.uniforms.projection, false, matrix);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);  // edges lie in front of the faces they bound
    shapes.forEach((made, index) => {
      if (made.rows || made.shown[3] < 1) {
        return;
      }
      const visible = users[index].map((i) => poses[i]).filter((pose) => pose.isSeen);
      if (visible.length) {
        drawMesh(made, visible);
      }
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.CULL_FACE);
    gl.useProgram(line.made);
    shapes.forEach((made, index) => {
      if (made.rows && made.shown[3] === 1) {
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

  return {
    draw, setTheme,
    /** @param {boolean} isSeen */
    showGrid(isSeen) {
      isGridSeen = isSeen;
    },
  };
}
