// draw.ts: people, by WebGL2. Each person is one point: over 6 px wide a disc with an outline and a notch for the heading,
// down to 2 px a plain disc, and below that the density map takes over. Trails and arrows are lines. The vertex program
// moves people between two frames, so that a picture costs the script next to nothing.

import type { Camera, Rect } from "./camera";
import { groups, ramp, rgb, themes, type Theme } from "./colours";
import { coverOf, wallsNear, forceColour, forcePerMetre, spaceClasses, spaceColour, type Overlays } from "./overlays";
import type { Run } from "./run";

export type ColourBy = "group" | "speed" | "model" | "value";
export interface Shown {
  by: ColourBy;
  fullSpeed: number; // m/s, the end of the speed scale
  density: boolean;
  speedMap: boolean;
  trails: boolean;
  arrows: boolean;
  theme: Theme;
}

const peopleVertex = `#version 300 es
layout(location=0) in vec4 place; layout(location=1) in vec4 look; layout(location=2) in vec4 kind; layout(location=3) in float radius;
uniform vec2 centre, clip; uniform float scale, part, fullSpeed; uniform int by, first;
uniform sampler2D ramp, group;
out vec3 colour; out float size; out vec2 ahead; out float marked;
void main() {
  vec2 at = mix(place.xy, place.zw, part);
  gl_Position = vec4((at - centre) * clip, 0.0, 1.0);
  size = max(2.0 * radius * scale, 1.6);
  gl_PointSize = size + 2.0;
  float turn = look.y - look.x; turn -= floor(turn + 0.5);
  float angle = (look.x + turn * part) * 6.2831853 * 255.0 / 256.0;
  ahead = vec2(cos(angle), sin(angle));
  float speed = look.z * 255.0 * 0.02;
  marked = kind.z;
  int index = int((by == 2 ? kind.y : kind.x) * 255.0 + 0.5);
  if (by == 0) index = max(0, index - first);
  if (by == 1) colour = texture(ramp, vec2((0.5 + 255.0 * clamp(speed / fullSpeed, 0.0, 1.0)) / 256.0, 0.5)).rgb;
  else if (by == 3) colour = look.w > 0.998 ? vec3(0.6) : texture(ramp, vec2((0.5 + 255.0 * look.w * 255.0 / 254.0) / 256.0, 0.5)).rgb;
  else if (by == 4) colour = vec3(0.98);
  else colour = texelFetch(group, ivec2(index % 8, 0), 0).rgb;
}`;

const peopleFragment = `#version 300 es
precision highp float;
in vec3 colour; in float size; in vec2 ahead; in float marked;
uniform float opacity, hollow, night; uniform vec3 rim;
out vec4 result;
void main() {
  vec2 p = (gl_PointCoord - 0.5) * (size + 2.0); p.y = -p.y;
  float far = length(p), end = size * 0.5;
  float inside = clamp(end + 0.5 - far, 0.0, 1.0);
  if (inside <= 0.0) discard;
  float bright = dot(colour, vec3(0.3, 0.59, 0.11));
  vec3 c = mix(colour, vec3(1.0), night * 0.25 * (1.0 - smoothstep(0.05, 0.3, bright))); // seen on a dark floor
  float fine = smoothstep(5.0, 8.0, size);
  if (fine > 0.0) {
    float line = clamp(0.055 * size, 0.6, 2.0);
    float outline = clamp(far - (end - line) + 0.5, 0.0, 1.0);
    float along = dot(p, ahead), across = abs(dot(p, vec2(-ahead.y, ahead.x)));
    float thick = clamp(0.085 * size, 0.7, 3.0);
    float notch = clamp(thick - across + 0.5, 0.0, 1.0) * clamp(along - 0.12 * size + 0.5, 0.0, 1.0);
    vec3 tick = bright < 0.36 ? mix(c, vec3(1.0), 0.72) : mix(c * 0.4, rim, 0.4);
    vec3 edge = night * step(bright, 0.3) > 0.5 ? mix(c, vec3(1.0), 0.45) : mix(c * 0.55, rim, 0.35);
    c = mix(mix(c, tick, fine * 0.9 * notch), edge, fine * outline);
  }
  result = vec4(c, 1.0) * inside * opacity * (hollow < 1.0 ? max(hollow, clamp(far - end + 0.13 * size, 0.0, 1.0)) : 1.0);
}`;

const lineVertex = `#version 300 es
layout(location=0) in vec3 point;
uniform vec2 centre, clip; out float fresh;
void main() { fresh = point.z; gl_Position = vec4((point.xy - centre) * clip, 0.0, 1.0); }`;
const lineFragment = `#version 300 es
precision highp float;
in float fresh; uniform vec4 ink; out vec4 result;
void main() { float a = ink.a * fresh; result = vec4(ink.rgb * a, a); }`;

// Personal spaces after Hesham and Wainer 2021, fig. 9: everybody a cone, seen from above; the nearest owns a pixel, of
// those who see it past the walls. `squares` has for each square of a grid which of `walls` come near it: first, count.
const spaceVertex = `#version 300 es
layout(location=0) in vec4 place; layout(location=1) in vec4 look; layout(location=2) in float layer;
uniform vec2 centre, clip; uniform float part, space, front, low, high;
uniform float classes[6]; uniform vec3 colours[6];
uniform highp sampler2D squares; uniform vec3 grid;
out vec2 from; out vec3 colour; flat out vec2 ahead, middle, near; flat out float forth;
void main() {
  vec2 at = mix(place.xy, place.zw, part), corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  float angle = look.y * 6.2831853 * 255.0 / 256.0;
  ahead = vec2(cos(angle), sin(angle));
  forth = space + front * look.z * 255.0 * 0.02;
  from = corner * forth;
  middle = at;
  near = texelFetch(squares, clamp(ivec2(floor((at - grid.xy) / grid.z)), ivec2(0), textureSize(squares, 0) - 1), 0).xy;
  gl_Position = vec4((at + from - centre) * clip, 0.0, 1.0);
  float area = low + layer * 255.0 / 254.0 * (high - low);
  colour = colours[0];
  for (int k = 1; k < 6; k++) if (area < classes[k - 1]) colour = colours[k];
}`;
const spaceFragment = `#version 300 es
precision highp float;
in vec2 from; in vec3 colour; flat in vec2 ahead, middle, near; flat in float forth;
uniform float space, opacity; uniform highp sampler2D walls; out vec4 result;
float side(vec2 a, vec2 b, vec2 p) { vec2 u = b - a, v = p - a; return u.x * v.y - u.y * v.x; }
bool crosses(vec2 a, vec2 b) { return side(a, b, vec2(0)) > 0.0 != side(a, b, from) > 0.0 && side(vec2(0), from, a) > 0.0 != side(vec2(0), from, b) > 0.0; }
void main() {
  float along = dot(from, ahead), far = length(from), reach = along > 0.0 ? forth : space;
  float across2 = far * far - along * along;
  if (along * along / (reach * reach) + across2 / (space * space) > 1.0) discard;
  int first = int(near.x), wide = textureSize(walls, 0).x;
  for (int k = first; k < first + int(near.y); k++) {
    vec4 wall = texelFetch(walls, ivec2(k % wide, k / wide), 0);
    if (crosses(wall.xy - middle, wall.zw - middle)) discard;
  }
  gl_FragDepth = clamp(far / 8.0, 0.0, 1.0);
  result = vec4(colour * (1.05 - 0.3 * far / space), 1.0) * opacity;
}`;

interface Lines {
  array: WebGLVertexArrayObject;
  buffer: WebGLBuffer;
  count: number;
  version: number;
}
interface Buffers {
  people: WebGLVertexArrayObject;
  place: WebGLBuffer;
  look: WebGLBuffer;
  radius: WebGLBuffer;
  version: number;
  details: number;
  trail: Lines;
  arrow: Lines;
  force: Lines;
  cover: Lines & { of?: unknown };
  walls?: { squares: WebGLTexture; walls: WebGLTexture; grid: [number, number, number] };
  spaces: WebGLVertexArrayObject;
  layer: WebGLBuffer;
}

export class Painter {
  private gl: WebGL2RenderingContext;
  private programs: Record<string, { program: WebGLProgram; at: Record<string, WebGLUniformLocation | null> }> = {};
  private buffers = new Map<Run, Buffers>();
  private viridis: WebGLTexture;
  private groupColours: WebGLTexture;
  /** ms of script that the last picture took. */
  cost = 0;

  /** Undefined where the browser has no WebGL2. */
  static on(canvas: HTMLCanvasElement): Painter | undefined {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true, stencil: true, preserveDrawingBuffer: true });
    return gl ? new Painter(gl) : undefined;
  }
  private constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.program("people", peopleVertex, peopleFragment);
    this.program("line", lineVertex, lineFragment);
    this.program("space", spaceVertex, spaceFragment);
    const strip = (bytes: Uint8Array, width: number) => {
      const texture = gl.createTexture()!;
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      this.smooth(width > 8 ? gl.LINEAR : gl.NEAREST);
      return texture;
    };
    this.viridis = strip(ramp("viridis"), 256);
    this.groupColours = strip(Uint8Array.from(groups.flatMap((g) => [...rgb(g), 255])), 8);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }
  private smooth(how: number) {
    const gl = this.gl;
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, which, how);
    for (const which of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, which, gl.CLAMP_TO_EDGE);
  }
  private program(name: string, vertex: string, fragment: string) {
    const gl = this.gl, program = gl.createProgram()!;
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`${name}: ${gl.getShaderInfoLog(shader)}`);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    const at: Record<string, WebGLUniformLocation | null> = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const u = gl.getActiveUniform(program, i)!.name;
      at[u] = gl.getUniformLocation(program, u);
    }
    this.programs[name] = { program, at };
  }
  private lineBuffers(): Lines {
    const gl = this.gl, array = gl.createVertexArray()!, buffer = gl.createBuffer()!;
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    return { array, buffer, count: 0, version: -1 };
  }
  private buffersOf(run: Run): Buffers {
    const known = this.buffers.get(run);
    if (known) return known;
    const gl = this.gl, people = gl.createVertexArray()!;
    const [place, look, radius] = [gl.createBuffer()!, gl.createBuffer()!, gl.createBuffer()!];
    gl.bindVertexArray(people);
    const attribute = (index: number, buffer: WebGLBuffer, size: number, type: number, stride: number, offset: number) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, type, type === gl.UNSIGNED_BYTE, stride, offset);
    };
    attribute(0, place, 4, gl.FLOAT, 16, 0);
    attribute(1, look, 4, gl.UNSIGNED_BYTE, 8, 0);
    attribute(2, look, 4, gl.UNSIGNED_BYTE, 8, 4);
    attribute(3, radius, 1, gl.FLOAT, 4, 0);
    const spaces = gl.createVertexArray()!, layer = gl.createBuffer()!;
    gl.bindVertexArray(spaces);
    attribute(0, place, 4, gl.FLOAT, 16, 0);
    attribute(1, look, 4, gl.UNSIGNED_BYTE, 8, 0);
    attribute(2, layer, 1, gl.UNSIGNED_BYTE, 1, 0);
    for (const index of [0, 1, 2]) gl.vertexAttribDivisor(index, 1);
    const made: Buffers = {
      people, place, look, radius, version: -1, details: -1, spaces, layer,
      trail: this.lineBuffers(), arrow: this.lineBuffers(), force: this.lineBuffers(), cover: this.lineBuffers(),
    };
    this.buffers.set(run, made);
    return made;
  }
  forget(run: Run) {
    this.buffers.delete(run);
  }

  clear(width: number, height: number) {
    const gl = this.gl;
    gl.disable(gl.SCISSOR_TEST);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  }

  /** Draws one run into its part of the canvas; `ratio` device pixels are one CSS pixel. */
  paint(run: Run, camera: Camera, pane: Rect, ratio: number, height: number, shown: Shown, now: number, overlays?: Overlays) {
    const began = performance.now(), gl = this.gl, b = this.buffersOf(run);
    if (!run.frame) return;
    this.upload(run, b);
    const box = [pane.x * ratio, (height - pane.y - pane.h) * ratio, pane.w * ratio, pane.h * ratio].map(Math.round);
    gl.viewport(box[0], box[1], box[2], box[3]);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(box[0], box[1], box[2], box[3]);
    const centre: [number, number] = [camera.x - run.baseX, camera.y - run.baseY];
    const clip: [number, number] = [(2 * camera.scale) / pane.w, (2 * camera.scale) / pane.h];
    const few = mapPart(camera);
    if (overlays?.under === "spaces" && run.frame.layer) this.paintSpaces(run, b, centre, clip, shown, now);
    if (shown.trails) this.paintTrails(run, b, centre, clip, shown);
    this.paintPeople(run, b, centre, clip, camera.scale * ratio, shown, shown.density ? 1 - 0.35 * few : 1 - 0.55 * few, now, overlays?.under !== undefined && overlays.under !== "none");
    if (shown.arrows) this.paintArrows(run, b, centre, clip, shown, Math.max(0.035, 1.3 / (camera.scale * ratio)));
    if (overlays?.forces && run.frame.arrowX) this.lines(this.fresh(b.force, run, (r) => forceLines(r, Math.max(0.07, 2 / (camera.scale * ratio)))), centre, clip, forceColour, 1, gl.TRIANGLES);
    this.cost = performance.now() - began;
  }
  private use(name: string, centre: [number, number], clip: [number, number]) {
    const { program, at } = this.programs[name], gl = this.gl;
    gl.useProgram(program);
    gl.uniform2f(at.centre, ...centre);
    gl.uniform2f(at.clip, ...clip);
    return at;
  }
  private upload(run: Run, b: Buffers) {
    if (b.version === run.version) return;
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, b.place);
    gl.bufferData(gl.ARRAY_BUFFER, run.place, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, b.look);
    gl.bufferData(gl.ARRAY_BUFFER, run.look.subarray(0, 8 * run.n), gl.DYNAMIC_DRAW);
    if (b.details !== run.detailsVersion) {
      gl.bindBuffer(gl.ARRAY_BUFFER, b.radius);
      gl.bufferData(gl.ARRAY_BUFFER, run.radius, gl.DYNAMIC_DRAW);
    }
    b.version = run.version;
    b.details = run.detailsVersion;
  }
  private paintPeople(run: Run, b: Buffers, centre: [number, number], clip: [number, number], scale: number, shown: Shown, opacity: number, now: number, plain: boolean) {
    const gl = this.gl, at = this.use("people", centre, clip);
    gl.uniform1f(at.scale, scale);
    gl.uniform1f(at.part, run.part(now));
    gl.uniform1f(at.fullSpeed, shown.fullSpeed);
    gl.uniform1i(at.by, plain ? 4 : { group: 0, speed: 1, model: 2, value: 3 }[shown.by]);
    gl.uniform1f(at.hollow, plain ? 0.12 : 1);
    gl.uniform1i(at.first, firstGroup(run));
    gl.uniform1f(at.opacity, opacity);
    const rim = rgb(shown.theme === "dark" ? "#0B0E12" : "#1B2128").map((v) => v / 255);
    gl.uniform3f(at.rim, rim[0], rim[1], rim[2]);
    gl.uniform1f(at.night, shown.theme === "dark" ? 1 : 0);
    this.texture(0, this.viridis, at.ramp);
    this.texture(1, this.groupColours, at.group);
    gl.bindVertexArray(b.people);
    gl.drawArrays(gl.POINTS, 0, run.n);
  }
  private texture(unit: number, texture: WebGLTexture, at: WebGLUniformLocation | null) {
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(at, unit);
  }
  /** Lines that are made anew for each frame. */
  private fresh(lines: Lines, run: Run, points: (run: Run) => Float32Array): Lines {
    if (lines.version === run.version) return lines;
    const data = points(run), gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    lines.count = data.length / 3;
    lines.version = run.version;
    return lines;
  }
  private lines(lines: Lines, centre: [number, number], clip: [number, number], ink: string, alpha: number, mode: number = this.gl.LINES) {
    const gl = this.gl, at = this.use("line", centre, clip), c = rgb(ink);
    gl.uniform4f(at.ink, c[0] / 255, c[1] / 255, c[2] / 255, alpha);
    gl.bindVertexArray(lines.array);
    gl.drawArrays(mode, 0, lines.count);
  }
  private paintTrails(run: Run, b: Buffers, centre: [number, number], clip: [number, number], shown: Shown) {
    this.lines(this.fresh(b.trail, run, trailLines), centre, clip, themes[shown.theme].faint, 0.7);
  }
  private paintArrows(run: Run, b: Buffers, centre: [number, number], clip: [number, number], shown: Shown, width: number) {
    this.lines(this.fresh(b.arrow, run, (r) => arrowLines(r, width)), centre, clip, themes[shown.theme].text, 0.85, this.gl.TRIANGLES);
  }
  /** Cones where people can walk: the rings of walls invert the stencil, so what they enclose is odd. */
  private paintSpaces(run: Run, b: Buffers, centre: [number, number], clip: [number, number], shown: Shown, now: number) {
    const gl = this.gl, { scene, frame } = run, values = scene?.settings?.params ?? {};
    if (b.cover.of !== scene) (b.cover.version = -1), (b.cover.of = scene), this.keepWalls(run, b);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.STENCIL_TEST);
    gl.colorMask(false, false, false, false);
    gl.stencilFunc(gl.ALWAYS, 0, 1);
    gl.stencilOp(gl.KEEP, gl.INVERT, gl.INVERT);
    this.lines(this.fresh(b.cover, run, coverOf), centre, clip, "#000000", 1, gl.TRIANGLES);
    gl.colorMask(true, true, true, true);
    gl.stencilFunc(gl.EQUAL, scene?.open || !scene?.walls?.length ? 0 : 1, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    const at = this.use("space", centre, clip);
    gl.uniform3f(at.grid, ...b.walls!.grid);
    this.texture(0, b.walls!.squares, at.squares);
    this.texture(1, b.walls!.walls, at.walls);
    gl.uniform1f(at.part, run.part(now));
    gl.uniform1f(at.space, Number(values.space ?? 0.9));
    gl.uniform1f(at.front, Number(values.front ?? 0.4));
    gl.uniform1f(at.low, frame!.layerLow ?? 0);
    gl.uniform1f(at.high, frame!.layerHigh ?? 1);
    gl.uniform1f(at.opacity, shown.theme === "dark" ? 0.8 : 0.9);
    gl.uniform1fv(at["classes[0]"], spaceClasses.map(([from]) => from));
    gl.uniform3fv(at["colours[0]"], spaceClasses.flatMap((_, k) => spaceColour(k).map((v) => v / 255)));
    gl.bindBuffer(gl.ARRAY_BUFFER, b.layer);
    gl.bufferData(gl.ARRAY_BUFFER, frame!.layer!, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(b.spaces);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, run.n);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.BLEND);
  }
  /** Which walls are near which square, as textures. */
  private keepWalls(run: Run, b: Buffers) {
    const gl = this.gl, near = wallsNear(run), texture = (known: WebGLTexture | undefined, values: Float32Array, width: number) => {
      const made = known ?? gl.createTexture()!;
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, values.length / 4 / width, 0, gl.RGBA, gl.FLOAT, values);
      this.smooth(gl.NEAREST);
      return made;
    };
    b.walls = { squares: texture(b.walls?.squares, near.squares, near.columns), walls: texture(b.walls?.walls, near.walls, near.wide), grid: near.grid };
  }
}

/** Plain discs, for browsers without WebGL2. */
export function paintPlainly(ink: CanvasRenderingContext2D, run: Run, camera: Camera, pane: Rect, shown: Shown, now: number) {
  if (!run.frame) return;
  const part = run.part(now), colours = ramp("viridis"), first = firstGroup(run), { place, look } = run, every = Math.max(1, Math.ceil(run.n / 20_000));
  for (let i = 0; i < run.n; i += every) {
    const p = 4 * i, b = 8 * i, at: [number, number] = [run.baseX + place[p] + (place[p + 2] - place[p]) * part, run.baseY + place[p + 1] + (place[p + 3] - place[p + 1]) * part];
    const [x, y] = camera.toScreen(at, pane), k = 4 * Math.round(255 * Math.min(1, shown.by === "value" ? look[b + 3] / 254 : (look[b + 2] * 0.02) / shown.fullSpeed));
    const radius = Math.max(1, run.radius[i] * camera.scale), kind = shown.by === "model" ? look[b + 5] : Math.max(0, look[b + 4] - first);
    if (shown.by === "value" && look[b + 3] === 255) ink.fillStyle = "#999999";
    else ink.fillStyle = shown.by === "group" || shown.by === "model" ? groups[kind % 8] : `rgb(${colours[k]},${colours[k + 1]},${colours[k + 2]})`;
    ink.beginPath();
    ink.arc(x, y, radius, 0, 2 * Math.PI);
    ink.fill();
  }
}

/** A group without a name is called by its number. */
export const groupName = (name: string | undefined) => (name || "others").replace(/^agents\[(\d+)\]$/, "group $1");

export const densestShown = 6; // per m2, the end of the density scale

/** The group that has the first colour: the one without a name, of nobody as a rule, has none. */
export function firstGroup(run: Run): number {
  const groups = run.scene?.groups;
  return groups && groups.length > 1 && !groups[0].name ? 1 : 0;
}

/** How much the density map has taken over, 0 to 1: when somebody of 0.2 m is less than about 2 px wide. */
export function mapPart(camera: Camera): number {
  return Math.min(1, Math.max(0, (2.6 - 0.4 * camera.scale) / 1.4));
}

/** Pieces of the trails, older ones fainter: x, y, freshness of both ends. */
function trailLines(run: Run): Float32Array {
  const moments = run.trail, out: number[] = [];
  for (let m = 1; m < moments.length; m++) {
    const a = moments[m - 1], b = moments[m], fresh = m / moments.length;
    const same = a.ids === b.ids;
    let row: Map<number, number> | undefined;
    if (!same) a.ids.forEach((id, i) => (row ??= new Map()).set(id, i));
    for (let i = 0; i < b.n; i++) {
      const k = same ? i : row?.get(b.ids[i]) ?? -1;
      if (k < 0) continue;
      const [ax, ay, bx, by] = [a.place[2 * k], a.place[2 * k + 1], b.place[2 * i], b.place[2 * i + 1]];
      if (Math.abs(ax - bx) > 4 || Math.abs(ay - by) > 4) continue;
      out.push(ax, ay, fresh - 1 / moments.length, bx, by, fresh);
    }
  }
  return new Float32Array(out);
}

/** From everybody's middle as far as it walks in a second. */
function arrowLines(run: Run, width: number): Float32Array {
  const f = run.frame!;
  return arrows(run, width, (i) => {
    const angle = (f.heading[i] / 256) * 2 * Math.PI, v = f.speed[i] * 0.02;
    return [v * Math.cos(angle), v * Math.sin(angle)];
  });
}

/** The sum of contact forces on everybody, from 5 N on and up to 3 m long. */
function forceLines(run: Run, width: number): Float32Array {
  const f = run.frame!, unit = f.arrowUnit ?? 1;
  return arrows(run, width, (i) => {
    const x = f.arrowX![i] * unit, y = f.arrowY![i] * unit, size = Math.hypot(x, y), scale = size < 5 ? 0 : Math.min(1 / forcePerMetre, 3 / size);
    return [x * scale, y * scale];
  });
}

/** Triangles: a shaft and a head. */
function arrows(run: Run, width: number, vector: (i: number) => [number, number]): Float32Array {
  const out = new Float32Array(27 * run.n), half = width / 2;
  for (let i = 0; i < run.n; i++) {
    const [vx, vy] = vector(i), v = Math.hypot(vx, vy);
    if (v === 0) continue;
    const c = vx / v, s = vy / v, x = run.place[4 * i + 2], y = run.place[4 * i + 3], head = Math.min(5 * width, 0.6 * v), far = v - head;
    const at = (along: number, across: number) => [x + along * c - across * s, y + along * s + across * c, 1];
    const [a, b, d, e] = [at(0, -half), at(0, half), at(far, -half), at(far, half)];
    out.set([...a, ...b, ...d, ...d, ...b, ...e, ...at(far, -0.45 * head), ...at(far, 0.45 * head), ...at(v, 0)], 27 * i);
  }
  return out;
}
