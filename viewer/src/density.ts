// density.ts: how many people per square metre, on a grid over the place, from positions alone: each person spread over
// about a metre of floor (two passes of a box each way); and how fast they walk there. Also the picture of it.

import { ramp, type Theme } from "./colours";
import type { Run } from "./run";
import type { Scene } from "./types";

export interface DensityMap {
  columns: number;
  rows: number;
  cell: number; // m
  x: number; // m, the low corner
  y: number;
  density: Float32Array; // per m2
  speed: Float32Array; // m/s, mean over those near
}

const spread = 0.7; // m, half the width of the box

/** `speeds`: also the mean speed, which takes as long again. */
export function densityMap(run: Run, speeds = false): DensityMap | undefined {
  const bounds = run.scene?.bounds, frame = run.frame;
  if (!bounds || !frame) return undefined;
  const w = bounds[2] - bounds[0], h = bounds[3] - bounds[1];
  const cell = Math.max(0.25, Math.max(w, h) / 200), columns = Math.ceil(w / cell) + 4, rows = Math.ceil(h / cell) + 4;
  const x = bounds[0] - 2 * cell, y = bounds[1] - 2 * cell;
  const density = new Float32Array(columns * rows), speed = new Float32Array(columns * rows);
  const dx = run.baseX - x, dy = run.baseY - y;
  for (let i = 0; i < run.n; i++) {
    const c = Math.floor((run.place[4 * i + 2] + dx) / cell), r = Math.floor((run.place[4 * i + 3] + dy) / cell);
    if (c < 0 || r < 0 || c >= columns || r >= rows) continue;
    density[r * columns + c] += 1;
    if (speeds) speed[r * columns + c] += frame.speed[i] * 0.02;
  }
  const reach = Math.max(1, Math.round(spread / cell));
  for (let pass = 0; pass < 2; pass++) {
    boxes(density, columns, rows, reach);
    if (speeds) boxes(speed, columns, rows, reach);
  }
  const floor = floorPart(run.scene!, columns, rows, cell, x, y, reach);
  for (let k = 0; k < density.length; k++) {
    speed[k] = density[k] > 1e-4 ? speed[k] / density[k] : 0;
    density[k] /= cell * cell * (floor ? Math.max(0.25, floor[k]) : 1);
  }
  return { columns, rows, cell, x, y, density, speed };
}

const floors = new WeakMap<object, Float32Array>();

/** How much of what is spread from a cell falls on floor: beside a wall the same people have less room. */
function floorPart(scene: Scene, columns: number, rows: number, cell: number, x: number, y: number, reach: number): Float32Array | undefined {
  if (!scene.walls?.length || scene.open) return undefined;
  const known = floors.get(scene.walls);
  if (known?.length === columns * rows) return known;
  const canvas = new OffscreenCanvas(columns, rows), ink = canvas.getContext("2d")!, floor = new Float32Array(columns * rows);
  for (const area of scene.walls) {
    ink.beginPath();
    for (const ring of area) {
      ring.forEach(([px, py]) => ink.lineTo((px - x) / cell, (py - y) / cell));
      ink.closePath();
    }
    ink.fill("evenodd");
  }
  const bytes = ink.getImageData(0, 0, columns, rows).data;
  for (let k = 0; k < floor.length; k++) floor[k] = bytes[4 * k + 3] / 255;
  for (let pass = 0; pass < 2; pass++) boxes(floor, columns, rows, reach);
  floors.set(scene.walls, floor);
  return floor;
}

/** The map as a small picture, first row at the top; empty floor stays as it is. */
export function mapPicture(map: DensityMap, what: "density" | "speed", full: number, theme: Theme, into?: OffscreenCanvas): OffscreenCanvas {
  const canvas = into?.width === map.columns && into.height === map.rows ? into : new OffscreenCanvas(map.columns, map.rows);
  const ink = canvas.getContext("2d")!, picture = ink.createImageData(map.columns, map.rows), out = picture.data;
  const colours = ramps[what === "speed" ? "speed" : theme];
  for (let r = 0; r < map.rows; r++)
    for (let c = 0; c < map.columns; c++) {
      const k = r * map.columns + c, o = 4 * ((map.rows - 1 - r) * map.columns + c), d = map.density[k];
      const at = 4 * Math.round(255 * Math.min(1, (what === "speed" ? map.speed[k] : d) / full));
      const seen = Math.min(1, Math.max(0, (d - 0.04) / (what === "speed" ? 0.4 : 1.2)));
      out[o] = colours[at];
      out[o + 1] = colours[at + 1];
      out[o + 2] = colours[at + 2];
      out[o + 3] = 235 * seen * (2 - seen);
    }
  ink.putImageData(picture, 0, 0);
  return canvas;
}

/** Replaces each value by the mean over a box of 2 reach + 1 cells each way. */
function boxes(field: Float32Array, columns: number, rows: number, reach: number) {
  const line = new Float32Array(Math.max(columns, rows));
  const slide = (start: number, step: number, count: number) => {
    let sum = 0;
    for (let k = 0; k < Math.min(reach, count); k++) sum += field[start + k * step];
    for (let k = 0; k < count; k++) {
      if (k + reach < count) sum += field[start + (k + reach) * step];
      if (k - reach > 0) sum -= field[start + (k - reach - 1) * step];
      line[k] = sum / (2 * reach + 1);
    }
    for (let k = 0; k < count; k++) field[start + k * step] = line[k];
  };
  for (let r = 0; r < rows; r++) slide(r * columns, 1, columns);
  for (let c = 0; c < columns; c++) slide(c, columns, rows);
}

const ramps = { speed: ramp("viridis"), light: ramp("cividis", true), dark: ramp("cividis") };

/** The density where somebody stands. */
export function densityAt(map: DensityMap, x: number, y: number): number {
  const c = Math.floor((x - map.x) / map.cell), r = Math.floor((y - map.y) / map.cell);
  return c < 0 || r < 0 || c >= map.columns || r >= map.rows ? 0 : map.density[r * map.columns + c];
}
