// overlays.ts: what lies over or under people when it is asked for: personal spaces, the cells of a grid with their
// pressure, contact forces, and the ways to a goal. Frames have the quantities that are named here; ways are asked for.

import type { App } from "./app";
import { ramp, rgb } from "./colours";
import { figure, make } from "./dom";
import { ringOf, type Layer } from "./ground";
import type { Run } from "./run";
import type { Field, Scene } from "./types";

export type Under = "none" | "spaces" | "cells";

/** From which area (m2) on a personal space is free, comfortable, restricted, shuffling, contact; as `throng render` has it. */
export const spaceClasses: [number, string][] = [[2.3, "free"], [0.9, "comfortable"], [0.5, "restricted"], [0.3, "shuffling"], [0.2, "contact"], [0, "dangerous"]];
const viridis = ramp("viridis");
export const spaceColour = (k: number): [number, number, number] => {
  const at = 4 * Math.round(255 * (1 - k / 5));
  return [viridis[at], viridis[at + 1], viridis[at + 2]];
};
export const forceColour = "#D55E00";
export const forcePerMetre = 1000; // N for each metre of an arrow

const quantityOf: Record<Under, string | null> = { none: null, spaces: "area", cells: "grid_pressure" };

/** What can be shown of a scene. */
export function offered(scene: Scene | undefined): { under: Under[]; forces: boolean; goals: string[] } {
  const has = (name: string) => !!scene?.quantities?.some((q) => q.name === name);
  const models = scene?.groups?.some((g) => g.model === "orca-forces") || scene?.model === "orca-forces" || !!scene?.things?.length;
  return {
    under: (["spaces", "cells"] as const).filter((u) => has(quantityOf[u]!)),
    forces: scene?.live ? has("net_force") && models : has("net_force") || has("net_force_x"),
    goals: scene?.ways ? scene.ways : scene?.live ? (scene.goals ?? []).filter((g) => g.polygon || g.point).map((g) => g.name).filter(Boolean).slice(0, 40) : [],
  };
}

export class Overlays {
  under: Under = "none";
  forces = false;
  goal = ""; // whose ways are shown
  fields = new Map<number, Field>();
  private timer = 0;
  private cells = new Map<Run, { version: number; layer: Layer }>();

  constructor(private app: App) {
    app.on("opened", (run) => {
      this.tell(run, this.under !== "none", this.forces);
    });
    app.on("scene", (run) => {
      const can = offered(run.scene);
      if (run.index === 0) {
        if (this.under !== "none" && !can.under.includes(this.under)) this.set({ under: "none" });
        if (this.forces && !can.forces) this.set({ forces: false });
        if (this.goal && !can.goals.includes(this.goal)) this.set({ goal: "" });
      }
      this.askField();
    });
    app.on("field", (field) => {
      if (field.goal === this.goal) this.fields.set(field.run ?? 0, field);
      app.tell("shown");
    });
  }
  set(change: Partial<Pick<Overlays, "under" | "forces" | "goal">>) {
    const { app } = this;
    Object.assign(this, change);
    for (const run of app.runs) this.tell(run, change.under !== undefined, change.forces !== undefined);
    if (change.goal !== undefined) this.fields.clear();
    this.askField();
    app.tell("shown");
  }
  /** Tells a run what its frames have to have, as far as it has that. */
  private tell(run: Run, under: boolean, forces: boolean) {
    const { app } = this, can = offered(run.scene);
    if (under) app.send({ do: "layer", run: run.index, quantity: can.under.includes(this.under) ? quantityOf[this.under] : null });
    if (forces) app.send({ do: "arrows", run: run.index, quantity: this.forces && can.forces ? "net_force" : null });
  }
  /** Ways change with doors, walls and crowds, so they are asked for again while they are shown. */
  private askField() {
    clearTimeout(this.timer);
    if (!this.goal) return;
    for (const run of this.app.runs) if (offered(run.scene).goals.includes(this.goal)) this.app.send({ do: "field", run: run.index, goal: this.goal });
    this.timer = window.setTimeout(() => this.askField(), 2500);
  }
  /** The cells of a grid as a map: each as its people have it. */
  cellLayer(run: Run): Layer | undefined {
    const { scene, frame } = run;
    if (this.under !== "cells" || !scene || !frame?.layer) return undefined;
    const known = this.cells.get(run);
    if (known?.version === run.version) return known.layer;
    const layer = makeCells(run, scene);
    if (layer) this.cells.set(run, { version: run.version, layer });
    return layer;
  }
  legend(bar: (name: string, low: string, high: string, colours: string) => HTMLElement, gradient: string): HTMLElement[] {
    const { frame } = this.app.run, parts: HTMLElement[] = [], chip = (colour: string, text: string, line = false) =>
      make("span", { class: "chip" }, make("i", { style: `background:${colour}${line ? ";height:3px" : ""}` }), text);
    if (this.under === "spaces") parts.push(...spaceClasses.map(([from, name], k) => chip(`rgb(${spaceColour(k).join(",")})`, k === 0 ? `space from ${from} m²: ${name}` : name)));
    if (this.under === "cells" && frame?.layer) parts.push(bar("pressure", "0", `${figure(frame.layerHigh, 2)} m²/s`, gradient));
    if (this.forces) parts.push(chip(forceColour, `contact force, ${forcePerMetre} N a metre`, true));
    if (this.goal) parts.push(chip("var(--accent)", `way to ${this.goal}`, true));
    return parts;
  }
}

/** Where the cells begin: at the corner of the place, or at 0 on a plane. */
function cornerOf(scene: Scene): [number, number] {
  if (scene.open) return [0, 0];
  const all = (scene.walls ?? []).flat(2);
  return [Math.min(...all.map((p) => p[0])), Math.min(...all.map((p) => p[1]))];
}

function makeCells(run: Run, scene: Scene): Layer | undefined {
  const side = scene.cell ?? 1, [ox, oy] = cornerOf(scene), { frame, place, baseX, baseY } = run;
  const sums = new Map<number, [number, number]>(), wide = 1 << 14;
  let c0 = Infinity, c1 = -Infinity, r0 = Infinity, r1 = -Infinity;
  for (let i = 0; i < run.n; i++) {
    if (frame!.layer![i] === 255) continue;
    const c = Math.floor((place[4 * i + 2] + baseX - ox) / side), r = Math.floor((place[4 * i + 3] + baseY - oy) / side);
    const value = frame!.layerLow! + (frame!.layer![i] / 254) * (frame!.layerHigh! - frame!.layerLow!), key = c + wide * r, sum = sums.get(key);
    if (sum) (sum[0] += value), sum[1]++;
    else sums.set(key, [value, 1]);
    (c0 = Math.min(c0, c)), (c1 = Math.max(c1, c)), (r0 = Math.min(r0, r)), (r1 = Math.max(r1, r));
  }
  if (c1 < c0 || c1 - c0 > 4000 || r1 - r0 > 4000) return undefined;
  const columns = c1 - c0 + 1, rows = r1 - r0 + 1, picture = new OffscreenCanvas(columns, rows), ink = picture.getContext("2d")!, image = ink.createImageData(columns, rows);
  for (const [key, [sum, count]] of sums) {
    const c = ((key % wide) + wide) % wide, r = (key - c) / wide, o = 4 * ((r1 - r) * columns + c - c0), part = Math.min(1, sum / count / Math.max(1e-9, frame!.layerHigh!));
    const active = sum / count > 1e-3 * frame!.layerHigh!, at = 4 * Math.round(255 * part);
    image.data.set(active ? [viridis[at], viridis[at + 1], viridis[at + 2], 225] : [...rgb("#8A939E"), 46], o);
  }
  ink.putImageData(image, 0, 0);
  return { picture, box: [ox + c0 * side, oy + r0 * side, ox + (c1 + 1) * side, oy + (r1 + 1) * side], opacity: 1, plain: true };
}

/** Rings of walls as triangles whose even-odd cover is what the rings enclose: x, y from the run's middle. */
export function coverOf(run: Run): Float32Array {
  const out: number[] = [], { scene, baseX, baseY } = run;
  const rings = [...(scene?.walls ?? []).flat(1), ...(scene?.open ? (scene.obstacles ?? []).filter((o) => !o.gone).map((o) => ringOf(o) ?? []) : [])];
  for (const ring of rings)
    for (let i = 1; i + 1 < ring.length; i++) for (const p of [ring[0], ring[i], ring[i + 1]]) out.push(p[0] - baseX, p[1] - baseY, 1);
  return new Float32Array(out);
}

/** Walls (ax, ay, bx, by from the run's middle) by the squares of a grid that they come near: first and count, and two numbers to spare. */
export interface WallGrid {
  walls: Float32Array;
  wide: number; // walls in a row of the texture
  squares: Float32Array;
  columns: number;
  grid: [number, number, number]; // corner and side of a square, m
}
const spaceReach = 3; // m: 0.9 and 0.4 for each of 5 m/s
const wallsMost = 64; // for one square; as `throng render` has it

export function wallsNear(run: Run): WallGrid {
  const { scene, baseX, baseY } = run, wide = 512, bounds = scene!.bounds;
  const chains = [...(scene?.walls ?? []).flat(1).map((ring) => [...ring, ring[0]]), ...(scene?.thin ?? [])];
  const all = chains.flatMap((chain) => chain.slice(1).map((b, i) => [chain[i][0] - baseX, chain[i][1] - baseY, b[0] - baseX, b[1] - baseY]));
  const side = Math.max(2, (bounds[2] - bounds[0]) / 128, (bounds[3] - bounds[1]) / 128), left = bounds[0] - baseX, low = bounds[1] - baseY;
  const columns = Math.ceil((bounds[2] - bounds[0]) / side) || 1, rows = Math.ceil((bounds[3] - bounds[1]) / side) || 1;
  const lists: number[][][] = Array.from({ length: columns * rows }, () => []), clamp = (v: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(v)));
  for (const wall of all) {
    const [x0, x1, y0, y1] = [Math.min(wall[0], wall[2]), Math.max(wall[0], wall[2]), Math.min(wall[1], wall[3]), Math.max(wall[1], wall[3])];
    for (let r = clamp((y0 - spaceReach - low) / side, rows); r <= clamp((y1 + spaceReach - low) / side, rows); r++)
      for (let c = clamp((x0 - spaceReach - left) / side, columns); c <= clamp((x1 + spaceReach - left) / side, columns); c++)
        if (lists[r * columns + c].length < wallsMost) lists[r * columns + c].push(wall);
  }
  const count = lists.reduce((sum, list) => sum + list.length, 0), walls = new Float32Array(4 * wide * Math.max(1, Math.ceil(count / wide))), squares = new Float32Array(4 * columns * rows);
  let at = 0;
  lists.forEach((list, i) => {
    squares.set([at, list.length], 4 * i);
    for (const wall of list) walls.set(wall, 4 * at++);
  });
  return { walls, wide, squares, columns, grid: [left, low, side] };
}
