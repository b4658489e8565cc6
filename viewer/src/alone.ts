// alone.ts: the page without a server: the simulation runs in a worker of this page (worker.ts), which is told and
// tells what a server would. The module is beside the page, or inside it (`throng export --live`).

import { say } from "./dom";
import { bytesOf, decodeFrame, fromBase64 } from "./stream";
import type { Command, Frame, Link, Listener } from "./types";
import type { FromWorker, ToWorker } from "./worker";

declare const WORKER: string; // the script of worker.ts, put in by build.mjs

/** The module of this page, or undefined: there is a server, or a recording. */
export async function findModule(): Promise<ArrayBuffer | undefined> {
  const element = document.getElementById("module");
  if (!element) return undefined;
  const { src } = element.dataset, inside = element.textContent?.trim();
  return src ? bytesOf(await fetch(src)) : bytesOf(new Response(fromBase64(inside ?? "")));
}

/** Files that the scenario inside this page reads. */
function findFiles(): Record<string, Uint8Array> {
  const given = JSON.parse(document.getElementById("start")?.textContent ?? "{}") as { files?: Record<string, string> };
  return Object.fromEntries(Object.entries(given.files ?? {}).map(([name, content]) => [name, fromBase64(content)]));
}

export class Alone implements Link {
  readonly live = true;
  private worker!: Worker;
  private last: (Frame | undefined)[] = [];
  private asked = new Map<number, (answer: Response) => void>();
  private questions = 0;

  constructor(private module: ArrayBuffer, private listener: Listener) {
    this.begin();
  }
  private begin() {
    const script = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.worker = new Worker(script);
    URL.revokeObjectURL(script);
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
    this.worker.onerror = (event) => this.hear({ fault: event.message });
    this.last = [];
    this.tell({ module: this.module, files: findFiles() });
    this.listener.state("open");
  }
  private tell(what: ToWorker, moved: Transferable[] = []) {
    this.worker.postMessage(what, moved);
  }
  private hear(what: FromWorker) {
    if (typeof what === "string") this.listener.message(JSON.parse(what));
    else if (what instanceof ArrayBuffer) this.take(what);
    else if ("fault" in what) this.mend(what.fault);
    else {
      this.asked.get(what.answer)?.(new Response(what.body, { status: what.status }));
      this.asked.delete(what.answer);
    }
  }
  private take(bytes: ArrayBuffer) {
    const run = new Uint8Array(bytes)[5], frame = decodeFrame(bytes, this.last[run]);
    this.last[run] = frame;
    this.listener.frame(frame);
    this.tell("taken");
  }
  /** A module that broke is begun anew, without a run. */
  private mend(fault: string) {
    this.worker.terminate();
    for (const answer of this.asked.values()) answer(new Response(fault, { status: 500 }));
    this.asked.clear();
    this.begin();
    say(`The simulation broke off: ${fault}`, "fault");
  }
  send(command: Command) {
    this.tell({ command: JSON.stringify(command) });
  }
  async request(path: string, values: Record<string, string> = {}, body?: Blob): Promise<Response> {
    const question = ++this.questions, bytes = await body?.arrayBuffer();
    return new Promise((resolve) => {
      this.asked.set(question, resolve);
      this.tell({ question, path: `/${path}`, query: String(new URLSearchParams(values)), body: bytes }, bytes ? [bytes] : []);
    });
  }
  private folder = document.getElementById("module")?.dataset.moments;
  readonly hasMoments = !!this.folder;
  async moment(scene: string): Promise<ArrayBuffer> {
    return bytesOf(await fetch(`${this.folder}${scene.replaceAll("/", "-")}.bin.gz`));
  }
}
