// The programs of the graphics card, in GLSL.

export const MESH_VERTEX = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tint;
layout(location = 3) in vec3 x;  // axes and origin of the node, seen from the camera
layout(location = 4) in vec3 y;
layout(location = 5) in vec3 z;
layout(location = 6) in vec3 origin;
uniform mat4 projection;
out vec3 at, outward;
out vec4 color;
void main() {
  at = mat3(x, y, z) * point + origin;
  outward = x * normal.x / dot(x, x) + y * normal.y / dot(y, y) + z * normal.z / dot(z, z);
  color = tint;
  gl_Position = projection * vec4(at, 1.0);
}`;

// One light moves with the camera, as in the window.
export const MESH_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, outward;
in vec4 color;
uniform bool isLit;
out vec4 pixel;
void main() {
  vec3 shown = color.rgb;
  if (isLit) {
    vec3 n = normalize(outward) * (gl_FrontFacing ? 1.0 : -1.0);
    vec3 light = normalize(vec3(-0.45, 0.75, 1.0));
    float shine = pow(max(dot(reflect(-light, n), normalize(-at)), 0.0), 24.0);
    shown = min(shown * (0.34 + 0.78 * max(dot(n, light), 0.0)) + 0.12 * shine, 1.0);
  }
  pixel = vec4(shown, 1.0) * color.a;
}`;

// A line is a strip of two triangles, so that it is as wide as it should be.
export const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 startColor;
layout(location = 3) in vec4 endColor;
uniform mat4 projection;
uniform vec2 viewport;
uniform float width;
uniform mat4 place;
uniform float fadeRadius;
out vec4 color;
out vec2 ground;
void main() {
  vec4 a = projection * place * vec4(start, 1.0), b = projection * place * vec4(end, 1.0);
  vec4 aColor = startColor, bColor = endColor;
  vec2 aGround = start.xy, bGround = end.xy;
  float near = 1e-4;
  if (a.w < near && b.w > near) { float f = (near - a.w) / (b.w - a.w); a = mix(a, b, f); aGround = mix(aGround, bGround, f); }
  else if (b.w < near && a.w > near) { float f = (near - b.w) / (a.w - b.w); b = mix(b, a, f); bGround = mix(bGround, aGround, f); }
  vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  bool isEnd = gl_VertexID > 1;
  float side = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
  gl_Position = isEnd ? b : a;
  gl_Position.xy += side * width * vec2(-along.y, along.x) / viewport * gl_Position.w;
  color = isEnd ? bColor : aColor;
  ground = (isEnd ? bGround : aGround) / max(fadeRadius, 1e-12);
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 color;
in vec2 ground;
uniform float fadeRadius;
out vec4 pixel;
void main() {
  float opacity = color.a * (fadeRadius > 0.0 ? 1.0 - smoothstep(0.0, 1.0, length(ground)) : 1.0);
  pixel = vec4(color.rgb, 1.0) * opacity;
}`;

export const GROUND_VERTEX = `#version 300 es
out float height;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  height = corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;

export const GROUND_FRAGMENT = `#version 300 es
precision highp float;
in float height;
uniform vec3 top, bottom;
out vec4 pixel;
void main() { pixel = vec4(mix(bottom, top, 0.5 + 0.5 * height), 1.0); }`;
