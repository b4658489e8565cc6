// timeline.ts: the strip at the foot of the page: when things happened, how many passed, and, in replays, the handle to
// go to another moment. Its cursor is that of the charts.

import type { App } from "./app";
import { themes } from "./colours";
import { clock, figure, find, make } from "./dom";

const left = 16, right = 16;

export class TimeLine {
  private canvas = make("canvas", { class: "time-canvas", tabIndex: 0, role: "slider", "aria-label": "Moment shown" });
  private tip = make("div", { class: "time-tip", hidden: true });
  private dragging = false;
  private wanted = 0;

  constructor(private app: App) {
    find("time").append(this.canvas, this.tip);
    new ResizeObserver(() => this.draw()).observe(find("time"));
    for (const kind of ["frame", "chart", "scene", "shown", "status"] as const) app.on(kind, () => this.soon());
    this.canvas.addEventListener("pointerdown", (e) => {
      this.dragging = this.canSeek;
      this.canvas.setPointerCapture(e.pointerId);
      this.point(e);
    });
    this.canvas.addEventListener("pointermove", (e) => this.point(e));
    this.canvas.addEventListener("pointerup", () => (this.dragging = false));
    this.canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
      app.cursorTime = undefined;
      this.soon();
    });
  }
  private get canSeek() {
    return this.app.run.scene?.live === false;
  }
  /** The span of time the strip shows: all of a replay; of a run what has been, and some room. */
  range(): [number, number] {
    const scene = this.app.run.scene, now = this.app.run.time(performance.now());
    if (scene?.live === false && scene.times) return scene.times;
    const steps = [30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 36000, 86400];
    return [0, Math.max(Math.min(steps.find((s) => s > now * 1.05) ?? now * 1.2, Math.max(scene?.duration ?? Infinity, now)), 1)];
  }
  private point(event: PointerEvent) {
    const box = this.canvas.getBoundingClientRect(), [t0, t1] = this.range();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left - left) / (box.width - left - right))), time = t0 + part * (t1 - t0);
    this.app.cursorTime = time;
    this.tip.hidden = false;
    const row = this.rowAt(time), mark = this.marks().find((m) => Math.abs(m.time - time) < (6 / box.width) * (t1 - t0));
    this.tip.textContent = mark?.text ?? clock(time) + (row >= 0 ? ` · ${figure(this.app.run.series.flow(row), 2)} /s · ${this.app.run.series.rows[row].inside ?? "–"} inside` : "");
    this.tip.style.left = `${Math.min(box.width - this.tip.offsetWidth - 4, Math.max(4, left + part * (box.width - left - right) - this.tip.offsetWidth / 2))}px`;
    if (this.dragging) this.app.send({ do: "seek", time });
    this.soon();
  }
  private rowAt(time: number): number {
    const { series } = this.app.run, last = series.rows[series.rows.length - 1];
    return last && time < last.time + 1 ? series.rowAt(time) : -1;
  }
  private marks() {
    return [...(this.app.run.scene?.events ?? []), ...this.app.marks];
  }
  private soon() {
    if (!this.wanted) this.wanted = requestAnimationFrame(() => ((this.wanted = 0), this.draw()));
  }
  private draw() {
    const { canvas, app } = this, ratio = window.devicePixelRatio || 1, w = find("time").clientWidth, h = find("time").clientHeight;
    if (!w || !h) return;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) (canvas.width = Math.round(w * ratio)), (canvas.height = Math.round(h * ratio));
    const ink = canvas.getContext("2d")!, c = themes[app.shown.theme], [t0, t1] = this.range(), base = h - 24, now = app.run.time(performance.now());
    const at = (t: number) => left + ((t - t0) / Math.max(1e-9, t1 - t0)) * (w - left - right);
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.clearRect(0, 0, w, h);
    this.drawFlow(ink, at, base, h, c.accent);
    ink.strokeStyle = c.faint;
    ink.globalAlpha = 0.5;
    ink.lineWidth = 2;
    ink.beginPath(), ink.moveTo(left, base), ink.lineTo(w - right, base), ink.stroke();
    ink.globalAlpha = 1;
    ink.strokeStyle = c.accent;
    ink.beginPath(), ink.moveTo(left, base), ink.lineTo(at(Math.min(now, t1)), base), ink.stroke();
    this.drawTicks(ink, at, base, t0, t1, c.faint);
    for (const mark of this.marks()) {
      if (mark.time < t0 || mark.time > t1) continue;
      const x = at(mark.time);
      ink.fillStyle = c.zone;
      ink.beginPath(), ink.moveTo(x, base - 2), ink.lineTo(x - 4, base - 10), ink.lineTo(x + 4, base - 10), ink.fill();
    }
    if (app.cursorTime !== undefined) {
      ink.strokeStyle = c.faint;
      ink.lineWidth = 1;
      ink.beginPath(), ink.moveTo(at(app.cursorTime), 4), ink.lineTo(at(app.cursorTime), base), ink.stroke();
    }
    ink.fillStyle = c.accent;
    ink.strokeStyle = c.floor;
    ink.lineWidth = 2;
    ink.beginPath(), ink.arc(at(Math.min(now, t1)), base, this.canSeek ? 6.5 : 4.5, 0, 7), ink.fill(), ink.stroke();
    canvas.style.cursor = this.canSeek ? "pointer" : "default";
    canvas.setAttribute("aria-valuenow", now.toFixed(1));
    canvas.setAttribute("aria-valuetext", clock(now));
  }
  private drawFlow(ink: CanvasRenderingContext2D, at: (t: number) => number, base: number, h: number, colour: string) {
    const { series } = this.app.run, rows = series.rows;
    if (rows.length < 2) return;
    const every = Math.max(1, Math.floor(rows.length / 900));
    let most = 0.5;
    const points: [number, number][] = [];
    for (let i = 0; i < rows.length; i += every) {
      const flow = series.flow(i) ?? 0;
      most = Math.max(most, flow);
      points.push([at(rows[i].time), flow]);
    }
    ink.beginPath();
    ink.moveTo(points[0][0], base);
    for (const [x, flow] of points) ink.lineTo(x, base - (flow / most) * (h - 34));
    ink.lineTo(points[points.length - 1][0], base);
    ink.fillStyle = colour;
    ink.globalAlpha = 0.22;
    ink.fill();
    ink.globalAlpha = 1;
    if (points.every((p) => p[1] <= 0)) return;
    ink.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    ink.textAlign = "left";
    ink.fillStyle = themes[this.app.shown.theme].faint;
    ink.fillText(`flow, up to ${figure(most, 2)} /s`, left, 13);
  }
  private drawTicks(ink: CanvasRenderingContext2D, at: (t: number) => number, base: number, t0: number, t1: number, colour: string) {
    const want = (t1 - t0) / 8, step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600].find((s) => s >= want) ?? want;
    ink.fillStyle = colour;
    ink.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    ink.textAlign = "center";
    for (let t = Math.ceil(t0 / step) * step; t <= t1 + 1e-6; t += step) {
      const x = Math.min(at(t1) - 12, Math.max(at(t0) + 8, at(t)));
      ink.fillText(clock(t).replace(/\.0$/, ""), x, base + 16);
    }
  }
}
