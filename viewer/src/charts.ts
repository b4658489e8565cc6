// charts.ts: few curves over one time axis, with one cursor that is also the time line's; of several runs each has its
// own colour. Speed against density is of this moment, from the positions the page has.

import uPlot from "uplot";
import type { App } from "./app";
import { groups, themes } from "./colours";
import { densityAt, densityMap } from "./density";
import { clock, figure, make } from "./dom";
import type { Run, Series } from "./run";
import type { ChartRow } from "./types";

interface Kind {
  key: string;
  title: string;
  unit: string;
  of: (row: ChartRow, series: Series, i: number) => number | null | undefined;
}

const kinds: Kind[] = [
  { key: "inside", title: "inside", unit: "", of: (r) => r.inside },
  { key: "left", title: "left", unit: "", of: (r) => r.left },
  { key: "passed", title: "N(t) through the line", unit: "", of: (r) => (r.passed ? Object.values(r.passed)[0] : undefined) },
  { key: "flow", title: "flow", unit: "/s", of: (_, s, i) => s.flow(i) },
  { key: "speed", title: "mean speed", unit: "m/s", of: (r) => r.mean_speed },
  { key: "density", title: "largest density", unit: "/m²", of: (r) => r.density_max },
  { key: "overlaps", title: "overlaps", unit: "", of: (r) => r.overlaps },
  { key: "ms", title: "ms per step", unit: "ms", of: (r) => r.ms_per_step },
];

export class Charts {
  private plots = new Map<string, uPlot>();
  private boxes = new Map<string, HTMLElement>();
  private scatter = make("canvas", { class: "scatter", "aria-label": "Speed against density" });
  private due = 0;
  private look = "";

  constructor(private app: App, private box: HTMLElement) {
    for (const kind of kinds) {
      const value = make("span", { class: "value" }), holder = make("div", { class: "chart", "data-chart": kind.key }, make("div", { class: "chart-head" }, make("span", {}, kind.title), value));
      this.boxes.set(kind.key, holder);
      this.box.append(holder);
    }
    this.box.append(make("div", { class: "chart" }, make("div", { class: "chart-head" }, make("span", {}, "speed against density, now")), this.scatter));
    for (const event of ["chart", "scene", "runs", "shown"] as const) app.on(event, () => this.soon());
    app.on("frame", (run) => run.scene?.live === false && this.soon());
    (this.box.parentElement as HTMLDetailsElement).addEventListener("toggle", () => this.soon());
    new ResizeObserver(() => ((this.look = ""), this.soon())).observe(this.box);
  }
  private soon() {
    if (!this.due) this.due = window.setTimeout(() => ((this.due = 0), this.draw()), 200);
  }
  private draw() {
    if (!this.box.clientWidth || !(this.box.parentElement as HTMLDetailsElement).open) return;
    const { app } = this, look = `${app.shown.theme} ${app.runs.length} ${this.box.clientWidth}`;
    if (look !== this.look) {
      this.plots.forEach((p) => p.destroy());
      this.plots.clear();
      this.look = look;
    }
    const times = merged(app.runs);
    for (const kind of kinds) {
      const columns = app.runs.map((run) => along(times, run.series, kind)), holder = this.boxes.get(kind.key)!;
      holder.hidden = !columns.some((c) => c.some((v) => v !== null)) || (kind.key === "overlaps" && !columns.some((c) => c.some((v) => v)));
      if (holder.hidden) continue;
      const data = [times, ...columns] as uPlot.AlignedData, known = this.plots.get(kind.key);
      if (known) known.setData(data);
      else this.plots.set(kind.key, new uPlot(this.options(kind), data, holder));
      const row = app.run.series.rowAt(app.run.time(performance.now()));
      holder.querySelector(".value")!.textContent = row >= 0 ? `${figure(kind.of(app.run.series.rows[row], app.run.series, row) ?? null)} ${kind.unit}` : "";
    }
    this.drawScatter();
  }
  private options(kind: Kind): uPlot.Options {
    const { app } = this, c = themes[app.shown.theme], many = app.runs.length > 1;
    const axis = { stroke: c.faint, grid: { stroke: c.faint + "22", width: 1 }, ticks: { show: false }, font: "10px system-ui, 'DejaVu Sans', sans-serif" };
    return {
      width: this.box.clientWidth, height: 92, legend: { show: false }, padding: [6, 16, 0, 0],
      cursor: { sync: { key: "time" }, y: false, points: { size: 5 }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low ?? 0), (high && high > 0 ? high : 1) * 1.08] } },
      axes: [{ ...axis, size: 18, values: (_, v) => v.map((t) => clock(t).replace(/\.0$/, "")), space: 60 }, { ...axis, size: 34, space: 26, values: (_, v) => v.map((t) => (Math.abs(t) >= 1e4 ? `${figure(t / 1000)}k` : figure(t))) }],
      series: [{}, ...app.runs.map((_, k) => ({ stroke: many ? groups[k % 8] : c.accent, width: many && k ? 1 : 1.5, fill: many ? undefined : c.accent + "1c", spanGaps: true, points: { show: false } }))],
      hooks: {
        setCursor: [(u) => {
          const i = u.cursor.idx, head = this.boxes.get(kind.key)?.querySelector(".value");
          app.cursorTime = i === null || i === undefined ? undefined : u.data[0][i];
          if (head && i !== null && i !== undefined) head.textContent = u.data.slice(1).map((column) => figure(column[i] as number | null)).join(" · ") + ` ${kind.unit} at ${clock(u.data[0][i])}`;
        }],
      },
    };
  }
  /** Everybody's speed over the density around; thinned out beyond 700. */
  private drawScatter() {
    const { app, scatter } = this, ratio = window.devicePixelRatio || 1, w = this.box.clientWidth, h = 120, c = themes[app.shown.theme];
    scatter.width = w * ratio;
    scatter.height = h * ratio;
    scatter.style.height = `${h}px`;
    const ink = scatter.getContext("2d")!, x = (d: number) => 34 + (d / 6) * (w - 44), y = (v: number) => h - 20 - (v / 2) * (h - 30);
    ink.scale(ratio, ratio);
    ink.font = "10px system-ui, 'DejaVu Sans', sans-serif";
    ink.fillStyle = c.faint;
    ink.textAlign = "center";
    for (let d = 0; d <= 6; d += 2) ink.fillText(`${d}${d === 6 ? " /m²" : ""}`, Math.min(w - 14, x(d)), h - 6);
    ink.textAlign = "right";
    for (let v = 0; v <= 2; v++) {
      ink.fillText(v === 2 ? "2 m/s" : String(v), 30, y(v) + 3);
      ink.globalAlpha = 0.15;
      ink.fillRect(34, y(v), w - 44, 1);
      ink.globalAlpha = 1;
    }
    app.runs.forEach((run, k) => {
      const map = run.n > 0 && run.n < 50_000 ? densityMap(run) : undefined;
      if (!map) return;
      ink.fillStyle = app.runs.length > 1 ? groups[k % 8] : c.accent;
      ink.globalAlpha = 0.45;
      const every = Math.max(1, Math.floor(run.n / 700));
      for (let i = 0; i < run.n; i += every) {
        const d = densityAt(map, run.place[4 * i + 2] + run.baseX, run.place[4 * i + 3] + run.baseY);
        ink.fillRect(x(Math.min(6, d)) - 1, y(Math.min(2.1, run.frame!.speed[i] * 0.02)) - 1, 2.5, 2.5);
      }
      ink.globalAlpha = 1;
    });
  }
}

/** All times at which some run has a row, in order. */
function merged(runs: Run[]): number[] {
  if (runs.length === 1) return runs[0].series.rows.map((r) => r.time);
  return [...new Set(runs.flatMap((r) => r.series.rows.map((row) => Math.round(row.time * 100) / 100)))].sort((a, b) => a - b);
}
function along(times: number[], series: Series, kind: Kind): (number | null)[] {
  const known = new Map(series.rows.map((r, i) => [Math.round(r.time * 100), kind.of(r, series, i) ?? null]));
  return times.map((t) => known.get(Math.round(t * 100)) ?? null);
}
