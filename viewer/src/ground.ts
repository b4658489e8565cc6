// ground.ts: the place under the people and the names above them, on two plain canvases: floor, walls, goals, zones,
// things, measuring lines; scale bar and what is selected. Drawn anew only when the camera or the scene changes.

import type { Camera, Rect } from "./camera";
import { themes, type Theme } from "./colours";
import type { Field, Goal, Named, Point, Ring, Scene, ThingShape } from "./types";

type Ink = CanvasRenderingContext2D;
interface Label {
  text: string;
  at: Point;
  colour: string;
  wide: number;
  high: number;
}

export function ringOf(what: Named | Goal): Ring | undefined {
  return (what as Named).polygon ?? (what as Named).ring ?? (what as Named).points;
}

function path(ink: Ink, ring: Ring, camera: Camera, pane: Rect, close: boolean) {
  ring.forEach((p, i) => {
    const [x, y] = camera.toScreen(p, pane);
    if (i) ink.lineTo(x, y);
    else ink.moveTo(x, y);
  });
  if (close) ink.closePath();
}

function middle(ring: Ring): Point {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const [x, y] of ring) (x0 = Math.min(x0, x)), (y0 = Math.min(y0, y)), (x1 = Math.max(x1, x)), (y1 = Math.max(y1, y));
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** A map that is laid on the floor, up to the walls. */
export interface Layer {
  picture: OffscreenCanvas;
  box: [number, number, number, number]; // m
  opacity: number;
  plain?: boolean; // squares stay squares
}

/** What lies under everybody. */
export function drawGround(ink: Ink, scene: Scene, camera: Camera, pane: Rect, theme: Theme, layers: Layer[] = [], field?: Field) {
  const c = themes[theme];
  ink.save();
  ink.beginPath();
  ink.rect(pane.x, pane.y, pane.w, pane.h);
  ink.clip();
  const open = scene.open ?? !scene.walls?.length;
  ink.fillStyle = open ? c.floor : c.outside;
  ink.fillRect(pane.x, pane.y, pane.w, pane.h);
  ink.lineJoin = "round";
  for (const area of scene.walls ?? []) {
    ink.beginPath();
    for (const ring of area) path(ink, ring, camera, pane, true);
    ink.fillStyle = open ? c.outside : c.floor;
    ink.fill("evenodd");
  }
  for (const obstacle of scene.obstacles ?? []) {
    const ring = ringOf(obstacle);
    if (!ring || obstacle.gone) continue;
    ink.beginPath();
    path(ink, ring, camera, pane, ring.length > 2);
    ink.fillStyle = c.outside;
    if (ring.length > 2 && open) ink.fill();
  }
  for (const layer of layers) drawLayer(ink, layer, scene, camera, pane);
  if (field) drawField(ink, field, camera, pane, c.accent);
  for (const zone of scene.zones ?? []) mark(ink, ringOf(zone), camera, pane, c.zone, 0.1, [2, 4], true);
  for (const area of scene.areas ?? []) mark(ink, ringOf(area), camera, pane, c.measure, 0.06, [2, 4], true);
  for (const goal of scene.goals ?? []) drawGoal(ink, goal, camera, pane, theme);
  drawWalls(ink, scene, camera, pane, theme);
  for (const line of scene.lines ?? []) mark(ink, ringOf(line), camera, pane, c.measure, 0, [], false);
  ink.restore();
}

/** Walls alone, also over spaces that reach up to them. */
export function drawWalls(ink: Ink, scene: Scene, camera: Camera, pane: Rect, theme: Theme) {
  const open = scene.open ?? !scene.walls?.length, thick = Math.min(3, Math.max(1, 0.045 * camera.scale));
  ink.save();
  ink.lineJoin = "round";
  ink.strokeStyle = themes[theme].wall;
  ink.lineWidth = thick;
  for (const area of scene.walls ?? []) {
    ink.beginPath();
    for (const ring of area) path(ink, ring, camera, pane, true);
    ink.stroke();
  }
  for (const chain of scene.thin ?? []) {
    ink.beginPath();
    path(ink, chain, camera, pane, false);
    ink.stroke();
  }
  for (const obstacle of scene.obstacles ?? []) {
    const ring = ringOf(obstacle);
    if (!ring || obstacle.gone || (!open && !obstacle.movable && ring.length > 2)) continue;
    ink.beginPath();
    path(ink, ring, camera, pane, ring.length > 2);
    ink.stroke();
  }
  ink.restore();
}

function drawLayer(ink: Ink, layer: Layer, scene: Scene, camera: Camera, pane: Rect) {
  const [x0, y0] = camera.toScreen([layer.box[0], layer.box[3]], pane), [x1, y1] = camera.toScreen([layer.box[2], layer.box[1]], pane);
  ink.save();
  ink.beginPath();
  if (scene.open) ink.rect(pane.x, pane.y, pane.w, pane.h);
  for (const area of scene.walls ?? []) for (const ring of area) path(ink, ring, camera, pane, true);
  if (scene.walls?.length) ink.clip("evenodd");
  ink.globalAlpha = layer.opacity;
  ink.imageSmoothingEnabled = !layer.plain;
  ink.imageSmoothingQuality = "high";
  ink.drawImage(layer.picture, x0, y0, x1 - x0, y1 - y0);
  ink.restore();
}

/** Short strokes with a head, thinned out to a distance that can be seen. */
function drawField(ink: Ink, field: Field, camera: Camera, pane: Rect, colour: string) {
  const every = Math.max(1, Math.ceil(14 / (field.step * camera.scale))), length = Math.min(22, 0.75 * every * field.step * camera.scale);
  ink.save();
  ink.strokeStyle = ink.fillStyle = colour;
  ink.globalAlpha = 0.55;
  ink.lineWidth = 1.3;
  field.headings.forEach((heading, i) => {
    const c = i % field.columns, r = Math.floor(i / field.columns);
    if (heading < 0 || c % every || r % every) return;
    const [x, y] = camera.toScreen([field.from[0] + (c + 0.5) * field.step, field.from[1] + (r + 0.5) * field.step], pane), angle = (heading / 128) * Math.PI;
    if (x < pane.x - 20 || y < pane.y - 20 || x > pane.x + pane.w + 20 || y > pane.y + pane.h + 20) return;
    const dx = Math.cos(angle), dy = -Math.sin(angle), head = 0.3 * length, ex = x + 0.5 * length * dx, ey = y + 0.5 * length * dy;
    ink.beginPath();
    ink.moveTo(x - 0.5 * length * dx, y - 0.5 * length * dy);
    ink.lineTo(ex - head * dx, ey - head * dy);
    ink.stroke();
    ink.beginPath();
    ink.moveTo(ex, ey);
    ink.lineTo(ex - head * (dx + 0.5 * dy), ey - head * (dy - 0.5 * dx));
    ink.lineTo(ex - head * (dx - 0.5 * dy), ey - head * (dy + 0.5 * dx));
    ink.fill();
  });
  ink.restore();
}

function mark(ink: Ink, ring: Ring | undefined, camera: Camera, pane: Rect, colour: string, fill: number, dash: number[], close: boolean) {
  if (!ring) return;
  ink.beginPath();
  path(ink, ring, camera, pane, close);
  ink.globalAlpha = fill;
  ink.fillStyle = colour;
  if (fill) ink.fill();
  ink.globalAlpha = 0.9;
  ink.setLineDash(dash);
  ink.lineWidth = close ? 1 : 2;
  ink.strokeStyle = colour;
  ink.stroke();
  ink.globalAlpha = 1;
  ink.setLineDash([]);
}

/** A direction has no place. */
export const hasPlace = (goal: Goal) => !!goal.polygon || (!!goal.point && goal.kind !== "direction");

function goalPath(ink: Ink, goal: Goal, camera: Camera, pane: Rect) {
  ink.beginPath();
  if (goal.polygon) path(ink, goal.polygon, camera, pane, true);
  else if (hasPlace(goal)) {
    const [x, y] = camera.toScreen(goal.point!, pane);
    ink.arc(x, y, Math.max(3, (goal.radius ?? 0.5) * camera.scale), 0, 2 * Math.PI);
  }
}

function drawGoal(ink: Ink, goal: Goal, camera: Camera, pane: Rect, theme: Theme) {
  const c = themes[theme], colour = goal.closed ? c.closed : goal.exit ? c.exit : c.goal;
  goalPath(ink, goal, camera, pane);
  ink.fillStyle = ink.strokeStyle = colour;
  ink.globalAlpha = theme === "dark" ? 0.22 : 0.16;
  ink.fill();
  ink.globalAlpha = 0.9;
  ink.setLineDash([5, 4]);
  ink.lineWidth = 1;
  ink.stroke();
  ink.setLineDash([]);
  if (goal.closed && goal.polygon) {
    ink.save();
    ink.clip();
    const corners = goal.polygon.map((p) => camera.toScreen(p, pane));
    const xs = corners.map((p) => p[0]), ys = corners.map((p) => p[1]);
    const [l, r, t, b] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    ink.beginPath();
    for (let k = l - (b - t); k < r; k += 12) ink.moveTo(k, b), ink.lineTo(k + (b - t), t);
    ink.globalAlpha = 0.55;
    ink.stroke();
    ink.restore();
  }
  ink.globalAlpha = 1;
}

/** Things that only move when pushed, where the frame has them. */
export function drawThings(ink: Ink, shapes: ThingShape[], things: { x: number; y: number; angle: number; shape: number }[], camera: Camera, pane: Rect, theme: Theme) {
  const c = themes[theme];
  ink.save();
  ink.beginPath();
  ink.rect(pane.x, pane.y, pane.w, pane.h);
  ink.clip();
  ink.lineWidth = 1;
  for (const thing of things) {
    const shape = shapes[thing.shape];
    if (!shape) continue;
    const cos = Math.cos(thing.angle), sin = Math.sin(thing.angle);
    const turned = ([x, y]: Point): Point => [thing.x + x * cos - y * sin, thing.y + x * sin + y * cos];
    ink.fillStyle = shape.fixed ? c.obstacle : c.object;
    ink.strokeStyle = shape.fixed ? c.wall : "#6E5B3A";
    for (const part of shape.parts) {
      ink.beginPath();
      if (part.disc) {
        const [x, y] = camera.toScreen(turned([part.disc[0], part.disc[1]]), pane);
        ink.arc(x, y, Math.max(1, part.disc[2] * camera.scale), 0, 2 * Math.PI);
      } else if (part.ring) path(ink, part.ring.map(turned), camera, pane, true);
      ink.fill();
      ink.stroke();
    }
  }
  ink.restore();
}

/** Names of goals, zones, lines and areas, each where no other stands. */
export function drawNames(ink: Ink, scene: Scene, camera: Camera, pane: Rect, theme: Theme) {
  const c = themes[theme], labels: Label[] = [];
  const add = (name: string | undefined, ring: Ring | undefined, colour: string, atTop = false) => {
    if (!name || !ring?.length) return;
    const xs = ring.map((p) => p[0]), ys = ring.map((p) => p[1]);
    const wide = (Math.max(...xs) - Math.min(...xs)) * camera.scale;
    if (atTop && wide < 7 * name.length) return; // only what fits into its area
    labels.push({
      text: name, at: atTop ? [middle(ring)[0], Math.max(...ys) - 10 / camera.scale] : middle(ring), colour, wide,
      high: (Math.max(...ys) - Math.min(...ys)) * camera.scale,
    });
  };
  for (const goal of scene.goals ?? [])
    add(goal.closed ? `${goal.name} (closed)` : goal.name, goal.polygon ?? (hasPlace(goal) ? [goal.point!] : undefined), goal.closed ? c.closed : goal.exit ? c.exit : c.goal);
  const goals = new Set(scene.goals?.map((g) => g.name)); // a line at a door often has the door's name
  for (const line of scene.lines ?? []) if (!goals.has(line.name)) add(line.name, ringOf(line), c.measure);
  for (const area of scene.areas ?? []) add(area.name, ringOf(area), c.measure, true);
  for (const zone of scene.zones ?? []) add(zone.name, ringOf(zone), c.zone, true);
  const taken: Rect[] = [];
  ink.save();
  ink.beginPath();
  ink.rect(pane.x, pane.y, pane.w, pane.h);
  ink.clip();
  ink.font = "500 12px system-ui, 'DejaVu Sans', sans-serif";
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.lineJoin = "round";
  for (const label of labels.slice(0, 200)) write(ink, label, camera, pane, taken, c.floor);
  ink.restore();
}

function write(ink: Ink, label: Label, camera: Camera, pane: Rect, taken: Rect[], halo: string) {
  const width = ink.measureText(label.text).width, [middleX, y] = camera.toScreen(label.at, pane);
  const upright = width + 8 > label.wide && label.high > label.wide && width + 8 < label.high;
  const w = upright ? 15 : width + 6, h = upright ? width + 6 : 15;
  // A name at the edge of the picture moves inwards.
  const inside = middleX >= pane.x && middleX <= pane.x + pane.w;
  const x = inside ? Math.min(pane.x + pane.w - w / 2 - 4, Math.max(pane.x + w / 2 + 4, middleX)) : middleX;
  for (let step = 0; step < 7; step++) {
    const box = { x: x - w / 2, y: y - h / 2 + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * 16, w, h };
    if (box.x < pane.x || box.y < pane.y || box.x + w > pane.x + pane.w || box.y + h > pane.y + pane.h) continue;
    if (taken.some((t) => box.x < t.x + t.w && t.x < box.x + w && box.y < t.y + t.h && t.y < box.y + h)) continue;
    taken.push(box);
    ink.save();
    ink.translate(box.x + w / 2, box.y + h / 2);
    if (upright) ink.rotate(-Math.PI / 2);
    ink.strokeStyle = halo;
    ink.globalAlpha = 0.75;
    ink.lineWidth = 3;
    ink.strokeText(label.text, 0, 0);
    ink.globalAlpha = 1;
    ink.fillStyle = label.colour;
    ink.fillText(label.text, 0, 0);
    ink.restore();
    return;
  }
}

/** A bar of a round number of metres, about 110 px long. */
export function drawScaleBar(ink: Ink, camera: Camera, x: number, y: number, theme: Theme) {
  const c = themes[theme], want = 110 / camera.scale, ten = 10 ** Math.floor(Math.log10(want));
  const metres = [5, 2, 1].map((k) => k * ten).find((m) => m <= want) ?? ten, w = metres * camera.scale;
  ink.save();
  ink.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  ink.lineCap = "butt";
  for (const [colour, width] of [[c.floor, 4], [c.text, 1.5]] as const) {
    ink.strokeStyle = colour;
    ink.globalAlpha = width === 4 ? 0.6 : 1;
    ink.lineWidth = width;
    ink.beginPath();
    ink.moveTo(x, y - 4), ink.lineTo(x, y + 4), ink.moveTo(x, y), ink.lineTo(x + w, y), ink.moveTo(x + w, y - 4), ink.lineTo(x + w, y + 4);
    ink.stroke();
  }
  ink.fillStyle = c.text;
  ink.strokeStyle = c.floor;
  ink.lineWidth = 3;
  ink.globalAlpha = 0.6;
  const text = metres >= 1000 ? `${metres / 1000} km` : metres >= 1 ? `${metres} m` : `${Math.round(metres * 100)} cm`;
  ink.strokeText(text, x + w + 7, y + 4);
  ink.globalAlpha = 1;
  ink.fillText(text, x + w + 7, y + 4);
  ink.restore();
}

/** A thin ring, for who or what is selected or under the cursor. */
export function drawRing(ink: Ink, at: Point, radius: number, colour: string, width = 2) {
  ink.beginPath();
  ink.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.stroke();
}

/** Whether a place is within a ring. */
export function within(ring: Ring, [x, y]: Point): boolean {
  let inside = false;
  for (let i = 0, k = ring.length - 1; i < ring.length; k = i++) {
    const [ax, ay] = ring[i], [bx, by] = ring[k];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** How far a place is from a chain of points. */
export function distance(chain: Ring, [x, y]: Point, closed: boolean): number {
  let least = Infinity;
  for (let i = closed ? 0 : 1; i < chain.length; i++) {
    const [ax, ay] = chain[(i + chain.length - 1) % chain.length], [bx, by] = chain[i];
    const l = (bx - ax) ** 2 + (by - ay) ** 2, t = l ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / l)) : 0;
    least = Math.min(least, Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y));
  }
  return least;
}
