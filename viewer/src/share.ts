// share.ts: what can be taken away: a picture (PNG) and a film (WebM) of what is seen, with title, clock and legend.

import type { App } from "./app";
import { themes } from "./colours";
import { clock, find, say } from "./dom";
import type { Stage } from "./stage";

/** The three canvases as one, with what the page writes around them. */
function compose(stage: Stage, app: App, into: HTMLCanvasElement) {
  const ink = into.getContext("2d")!, c = themes[app.shown.theme], r = stage.ratio;
  into.width = stage.ground.width;
  into.height = stage.ground.height;
  for (const layer of [stage.ground, stage.people, stage.above]) ink.drawImage(layer, 0, 0);
  ink.scale(r, r);
  ink.font = "600 15px system-ui, 'DejaVu Sans', sans-serif";
  ink.textBaseline = "top";
  const write = (text: string, x: number, align: CanvasTextAlign) => {
    ink.textAlign = align;
    ink.lineWidth = 4;
    ink.lineJoin = "round";
    ink.strokeStyle = c.outside;
    ink.strokeText(text, x, 12);
    ink.fillStyle = c.text;
    ink.fillText(text, x, 12);
  };
  const scene = app.run.scene;
  if (scene) write(`${scene.name}${scene.model ? ` · ${scene.model}` : ""}`, 16, "left");
  write(clock(app.run.time(performance.now())), stage.width - 16, "right");
  drawLegend(ink, stage, c.text);
}

/** The legend as the page has it: each part is a scale (its name, low end, colours, high end) or a dot with a name. */
function drawLegend(ink: CanvasRenderingContext2D, stage: Stage, colour: string) {
  const stageBox = stage.element.getBoundingClientRect();
  ink.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  ink.textAlign = "left";
  ink.textBaseline = "middle";
  for (const part of find("legend").children) {
    for (const piece of part.childNodes) {
      const range = document.createRange();
      range.selectNode(piece);
      const box = range.getBoundingClientRect(), x = box.left - stageBox.left, y = box.top - stageBox.top;
      ink.fillStyle = colour;
      if (!(piece instanceof HTMLElement) || piece.tagName === "B") {
        ink.fillText(piece.textContent ?? "", x, y + box.height / 2);
        continue;
      }
      const stops = piece.style.background.match(/rgba?\([^)]*\)|#[0-9a-f]{6}/gi) ?? [colour];
      const fill = ink.createLinearGradient(x, 0, x + box.width, 0);
      stops.forEach((stop, i) => fill.addColorStop(stops.length > 1 ? i / (stops.length - 1) : 0, stop));
      ink.fillStyle = fill;
      ink.beginPath();
      ink.roundRect(x, y, box.width, box.height, box.height / 2);
      ink.fill();
    }
  }
}

function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
export const saveText = (text: string, name: string) => save(new Blob([text], { type: "application/json" }), name);

const fileName = (app: App, ending: string) => `${(app.run.scene?.name ?? "throng").replace(/[^\w.-]+/g, "-")}-${app.run.time(performance.now()).toFixed(1)}s.${ending}`;

export function savePicture(stage: Stage, app: App) {
  const canvas = document.createElement("canvas");
  compose(stage, app, canvas);
  canvas.toBlob((blob) => {
    if (!blob) return say("The browser made no picture.", "fault");
    save(blob, fileName(app, "png"));
    say("Picture saved.");
  }, "image/png");
}

let recorder: MediaRecorder | undefined;

/** Begins a film of what is seen, or ends it and saves it. */
export function film(stage: Stage, app: App, mark: (on: boolean) => void) {
  if (recorder) return recorder.stop();
  if (typeof MediaRecorder === "undefined") return say("This browser cannot record films.", "fault");
  const canvas = document.createElement("canvas"), paint = () => compose(stage, app, canvas), parts: Blob[] = [];
  paint();
  const stream = canvas.captureStream(30);
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
  recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8_000_000 });
  recorder.ondataavailable = (e) => parts.push(e.data);
  recorder.onstop = () => {
    stage.afterPaint.splice(stage.afterPaint.indexOf(paint), 1);
    recorder = undefined;
    mark(false);
    save(new Blob(parts, { type: "video/webm" }), fileName(app, "webm"));
    say("Film saved.");
  };
  stage.afterPaint.push(paint);
  recorder.start(500);
  mark(true);
  say("Recording. R again ends it.");
}
