// camera.ts: which part of the place is shown, and how metres become pixels. All panes share one camera.

import type { Point } from "./types";

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Pixels a metre with which a place fits into so many pixels, with room for titles and legend. */
export function fitScale(bounds: [number, number, number, number], width: number, height: number): number {
  return Math.min((width - 48) / Math.max(1e-3, bounds[2] - bounds[0]), (height - 84) / Math.max(1e-3, bounds[3] - bounds[1]), 400);
}

export class Camera {
  x = 0; // m, the middle of the picture
  y = 0;
  scale = 30; // px per m
  private goal?: { x: number; y: number; scale: number };
  /** The camera is where `fit` put it: a window that changes its size fits again. */
  fitted = true;

  toScreen(p: Point, pane: Rect): Point {
    return [pane.x + pane.w / 2 + (p[0] - this.x) * this.scale, pane.y + pane.h / 2 - (p[1] - this.y) * this.scale];
  }
  toPlace(px: number, py: number, pane: Rect): Point {
    return [this.x + (px - pane.x - pane.w / 2) / this.scale, this.y - (py - pane.y - pane.h / 2) / this.scale];
  }
  pan(dx: number, dy: number) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.goal = undefined;
    this.fitted = false;
  }
  /** Zooms by a factor and keeps what is under the cursor there. */
  zoom(factor: number, px: number, py: number, pane: Rect) {
    const [x, y] = this.toPlace(px, py, pane);
    this.scale = Math.min(2000, Math.max(0.05, this.scale * factor));
    this.x = x - (px - pane.x - pane.w / 2) / this.scale;
    this.y = y + (py - pane.y - pane.h / 2) / this.scale;
    this.goal = undefined;
    this.fitted = false;
  }
  fit(bounds: [number, number, number, number], pane: Rect, smooth = true) {
    const scale = fitScale(bounds, pane.w, pane.h);
    const goal = { x: (bounds[0] + bounds[2]) / 2, y: (bounds[1] + bounds[3]) / 2 - 8 / scale, scale: Math.max(0.05, scale) };
    if (smooth) this.goal = goal;
    else Object.assign(this, goal, { goal: undefined });
    this.fitted = true;
  }
  go(x: number, y: number, scale = this.scale) {
    this.goal = { x, y, scale };
    this.fitted = false;
  }
  centre(x: number, y: number) {
    this.x = x;
    this.y = y;
    this.fitted = false;
    if (this.goal) Object.assign(this.goal, { x, y });
  }
  /** Moves on towards where it was told to go; true while it is under way. */
  advance(seconds: number): boolean {
    if (!this.goal) return false;
    const part = 1 - Math.exp(-seconds * 12), g = this.goal;
    this.scale *= (g.scale / this.scale) ** part;
    this.x += (g.x - this.x) * part;
    this.y += (g.y - this.y) * part;
    const off = Math.hypot(g.x - this.x, g.y - this.y) * this.scale;
    if (off < 0.3 && Math.abs(g.scale / this.scale - 1) < 1e-3) Object.assign(this, g, { goal: undefined });
    return true;
  }
}
