// editor.ts: placeholder
import type { App } from "./app";
import type { Stage } from "./stage";
export class Editor {
  open = false;
  constructor(_app: App, _stage: Stage) {}
  show() {}
  close() {}
  escape() { return false; }
  undo() {}
  redo() {}
  remove() {}
  openFile(_f: File) {}
}
