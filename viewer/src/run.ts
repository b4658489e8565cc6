// run.ts: one run as the page knows it: its scene, what its charts have so far, and its people as columns that are ready
// to be drawn. Between two frames people move evenly from where they were shown to where the newer frame has them.

import type { ChartRow, Frame, Scene, Status } from "./types";

/** Charts' rows as columns over time; thinned out when they grow long. */
export class Series {
  rows: ChartRow[] = [];
  private every = 1;
  private count = 0;

  add(row: ChartRow) {
    const last = this.rows[this.rows.length - 1];
    if (last && row.time < last.time - 1e-9) this.rows = this.rows.filter((r) => r.time < row.time);
    if (this.count++ % this.every === 0) this.rows.push(row);
    if (this.rows.length > 6000) {
      this.rows = this.rows.filter((_, i) => i % 2 === 0);
      this.every *= 2;
    }
  }
  replace(rows: ChartRow[]) {
    this.rows = rows;
    this.every = 1;
  }
  clear() {
    this.replace([]);
    this.count = 0;
  }
  /** The last row that is not after a moment; -1: none. */
  rowAt(time: number): number {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].time <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  /** People through a line per second (all lines when none is named); without lines, those who leave. */
  flow(i: number, line?: string): number | null {
    const row = this.rows[i], flow = row.flow ?? {};
    if (line !== undefined) return flow[line] ?? null;
    const names = Object.keys(flow);
    if (names.length) return flow[names[0]];
    let k = i;
    while (k > 0 && row.time - this.rows[k].time < 3) k--;
    const span = row.time - this.rows[k].time;
    return span > 0 ? ((row.left ?? 0) - (this.rows[k].left ?? 0)) / span : null;
  }
}

const FLOATS = 4, BYTES = 8;

export class Run {
  scene?: Scene;
  status?: Status;
  series = new Series();
  frame?: Frame;
  n = 0;
  place = new Float32Array(0); // from x, from y, to x, to y, m from `baseX`, `baseY`
  look = new Uint8Array(0); // from heading, heading, speed, value, group, model, marked, -
  radius = new Float32Array(0);
  baseX = 0;
  baseY = 0;
  version = 0; // counts frames, so that what is drawn from them is made anew
  detailsVersion = 0;
  trail: { ids: Uint32Array; place: Float32Array; n: number; time: number }[] = [];
  private spare = new Float32Array(0);
  private rowOfId = new Int32Array(0);
  private arrived = 0;
  private interval = 33; // ms between frames, as of late
  private fromTime = 0;
  private toTime = 0;

  constructor(readonly index: number) {}

  setScene(scene: Scene) {
    const other = !this.scene || this.scene.name !== scene.name;
    this.scene = scene;
    if (!other) return;
    this.baseX = (scene.bounds[0] + scene.bounds[2]) / 2;
    this.baseY = (scene.bounds[1] + scene.bounds[3]) / 2;
    this.n = 0;
    this.frame = undefined;
    this.trail = [];
    this.series.clear();
    this.version++;
  }

  /** How far people are on their way from the older frame to the newer one. */
  part(now: number): number {
    return Math.min(1, (now - this.arrived) / this.interval);
  }
  time(now: number): number {
    return this.fromTime + (this.toTime - this.fromTime) * this.part(now);
  }

  take(frame: Frame, now: number) {
    const part = this.part(now), shown = this.time(now), before = this.frame, oldN = this.n;
    const backwards = before && frame.time < before.time - 1e-9, gap = now - this.arrived;
    if (gap < 1000) this.interval = Math.min(400, Math.max(16, 0.8 * this.interval + 0.2 * gap));
    this.fromTime = backwards || !before ? frame.time : shown;
    this.toTime = frame.time;
    this.arrived = now;
    if (backwards) {
      this.trail = [];
      if (this.scene?.live) this.series.rows = this.series.rows.filter((r) => r.time <= frame.time);
    }
    const old = this.place, oldHeading = this.headings(oldN);
    const row = frame.newPeople && before ? this.rowsBefore(before, frame) : undefined;
    this.grow(frame.n);
    this.fill(frame, old, oldHeading, oldN, row, backwards ? 1 : part, !before);
    this.frame = frame;
    this.n = frame.n;
    this.version++;
    if (frame.newPeople) this.detailsVersion++;
    this.keepTrail(frame);
  }

  private headings(n: number): Uint8Array {
    const out = new Uint8Array(n);
    for (let i = 0; i < n; i++) out[i] = this.look[BYTES * i + 1];
    return out;
  }
  private grow(n: number) {
    const spare = this.spare;
    this.spare = this.place;
    this.place = spare.length === FLOATS * n ? spare : new Float32Array(FLOATS * n);
    if (this.look.length < BYTES * n || this.look.length > 4 * BYTES * n + 4096) this.look = new Uint8Array(BYTES * n);
    if (this.radius.length !== n) this.radius = new Float32Array(n);
  }
  /** For each row of the new frame the row of the same person in the old one, or -1. */
  private rowsBefore(before: Frame, frame: Frame): Int32Array {
    let most = 0;
    for (let i = 0; i < before.n; i++) if (before.ids[i] > most) most = before.ids[i];
    const rows = new Int32Array(frame.n);
    if (most > 20_000_000) {
      const map = new Map<number, number>();
      before.ids.forEach((id, i) => map.set(id, i));
      for (let i = 0; i < frame.n; i++) rows[i] = map.get(frame.ids[i]) ?? -1;
      return rows;
    }
    if (this.rowOfId.length <= most) this.rowOfId = new Int32Array(Math.ceil((most + 1) * 1.5));
    this.rowOfId.fill(-1);
    for (let i = 0; i < before.n; i++) this.rowOfId[before.ids[i]] = i;
    for (let i = 0; i < frame.n; i++) rows[i] = frame.ids[i] <= most ? this.rowOfId[frame.ids[i]] : -1;
    return rows;
  }
  private fill(f: Frame, old: Float32Array, oldHeading: Uint8Array, oldN: number, row: Int32Array | undefined, part: number, first: boolean) {
    const dx = f.originX - this.baseX, dy = f.originY - this.baseY, { place, look } = this;
    const far = 4; // m: who is further away than this after one frame has not walked there
    for (let i = 0; i < f.n; i++) {
      const x = f.x[i] / 1000 + dx, y = f.y[i] / 1000 + dy, k = row ? row[i] : i, p = FLOATS * i, b = BYTES * i;
      place[p + 2] = x;
      place[p + 3] = y;
      if (first || k < 0 || k >= oldN) {
        place[p] = x;
        place[p + 1] = y;
        look[b] = f.heading[i];
      } else {
        const o = FLOATS * k, fx = old[o] + (old[o + 2] - old[o]) * part, fy = old[o + 1] + (old[o + 3] - old[o + 1]) * part;
        const jump = Math.abs(fx - x) > far || Math.abs(fy - y) > far;
        place[p] = jump ? x : fx;
        place[p + 1] = jump ? y : fy;
        look[b] = oldHeading[k];
      }
      look[b + 1] = f.heading[i];
      look[b + 2] = f.speed[i];
      look[b + 3] = f.value ? f.value[i] : 0;
    }
    if (!f.newPeople && !first) return;
    for (let i = 0; i < f.n; i++) {
      look[BYTES * i + 4] = f.group[i];
      look[BYTES * i + 5] = f.model[i];
      this.radius[i] = f.radius[i] / 1000;
    }
  }
  /** Keeps where everybody was about every quarter of a second, three seconds long, for trails. */
  private keepTrail(f: Frame) {
    const last = this.trail[this.trail.length - 1];
    if (f.n > 20_000 || (last && f.time - last.time < 0.24)) return;
    const place = new Float32Array(2 * f.n);
    for (let i = 0; i < f.n; i++) (place[2 * i] = this.place[4 * i + 2]), (place[2 * i + 1] = this.place[4 * i + 3]);
    this.trail.push({ ids: f.ids, place, n: f.n, time: f.time });
    if (this.trail.length > 13) this.trail.shift();
  }

  /** Where somebody is shown right now, m; undefined when gone. */
  where(row: number, now: number): [number, number] | undefined {
    if (row < 0 || row >= this.n) return undefined;
    const t = this.part(now), p = FLOATS * row, at = this.place;
    return [this.baseX + at[p] + (at[p + 2] - at[p]) * t, this.baseY + at[p + 1] + (at[p + 3] - at[p + 1]) * t];
  }
  rowOf(id: number): number {
    return this.frame ? this.frame.ids.indexOf(id) : -1;
  }
  /** The row of whoever is nearest to a place, within `reach` m beyond the own radius; -1: nobody. */
  nearest(x: number, y: number, reach: number, now: number): number {
    const t = this.part(now), at = this.place, lx = x - this.baseX, ly = y - this.baseY;
    let best = -1, least = Infinity;
    for (let i = 0, p = 0; i < this.n; i++, p += FLOATS) {
      const dx = at[p] + (at[p + 2] - at[p]) * t - lx, dy = at[p + 1] + (at[p + 3] - at[p + 1]) * t - ly;
      const d = Math.hypot(dx, dy) - this.radius[i];
      if (d < least) (least = d), (best = i);
    }
    return least <= reach ? best : -1;
  }
}
