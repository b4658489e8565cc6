// The WebAssembly module in Node, for tests: it takes commands as a page gives them, and tells texts.
import { WASI } from "node:wasi";

export async function open(bytes) {
  const wasi = new WASI({ version: "preview1" }), told = [];
  const page = { take: (kind, number, at, length) => kind === 0 && told.push(JSON.parse(Buffer.from(web.memory.buffer, at, length))) };
  const instance = await WebAssembly.instantiate(await WebAssembly.compile(bytes), { wasi_snapshot_preview1: wasi.wasiImport, page });
  const web = instance.exports;
  wasi.initialize(instance);
  web.web_begin();
  return {
    told,
    command(what) {
      const text = new TextEncoder().encode(JSON.stringify(what)), at = web.web_allocate(text.length);
      new Uint8Array(web.memory.buffer, at, text.length).set(text);
      web.web_command(at, text.length);
      web.web_release(at);
      web.web_turn(0, 0);
    },
    /** Steps the first run until a time. */
    run: (seconds) => web.web_run(seconds),
    digest() {
      const at = web.web_digest(), memory = Buffer.from(web.memory.buffer);
      return memory.subarray(at, memory.indexOf(0, at)).toString();
    },
  };
}
