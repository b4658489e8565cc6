// wasi.ts: what the module asks of a system (WASI preview 1): the time, a place to complain, and the few files that the
// page was given. Everything else is refused.

export const files = new Map<string, Uint8Array>();

const DONE = 0, BAD_FILE = 8, NO_ENTRY = 44, NOT_SUPPORTED = 52;
const ROOT = 3, FIRST = 4; // descriptors: the directory "/", and the first file
const DIRECTORY = 3, REGULAR = 4;

interface Open {
  bytes: Uint8Array;
  at: number;
}

/** The functions to import; the memory is there once the module is. */
export function system(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const view = () => new DataView(memory().buffer);
  const text = (at: number, length: number) => new TextDecoder().decode(new Uint8Array(memory().buffer, at, length).slice());
  const opened = new Map<number, Open>();
  let next = FIRST, said = "";

  /** Calls a function with each piece of a list of buffers; returns how many bytes it took. */
  function eachBuffer(list: number, count: number, use: (piece: Uint8Array) => number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += use(new Uint8Array(memory().buffer, view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)));
    return sum;
  }
  /** Writes what there is to know about a file, 64 bytes. */
  function tellStat(out: number, kind: number, size: number) {
    new Uint8Array(memory().buffer, out, 64).fill(0);
    view().setUint8(out + 16, kind);
    view().setBigUint64(out + 32, BigInt(size), true);
    return DONE;
  }
  const known: Record<string, (...args: never[]) => number> = {
    clock_time_get(_clock: number, _precision: bigint, out: number) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return DONE;
    },
    fd_write(_file: number, list: number, count: number, out: number) {
      view().setUint32(out, eachBuffer(list, count, (piece) => ((said += new TextDecoder().decode(piece.slice())), piece.length)), true);
      const lines = said.split("\n");
      said = lines.pop()!;
      lines.forEach((line) => console.warn(line));
      return DONE;
    },
    fd_read(file: number, list: number, count: number, out: number) {
      const from = opened.get(file);
      if (!from) return BAD_FILE;
      const got = eachBuffer(list, count, (piece) => {
        const part = from.bytes.subarray(from.at, from.at + piece.length);
        piece.set(part);
        from.at += part.length;
        return part.length;
      });
      view().setUint32(out, got, true);
      return DONE;
    },
    fd_seek(file: number, by: bigint, from: number, out: number) {
      const open = opened.get(file);
      if (!open) return BAD_FILE;
      open.at = Math.max(0, [0, open.at, open.bytes.length][from] + Number(by));
      view().setBigUint64(out, BigInt(open.at), true);
      return DONE;
    },
    fd_close: (file: number) => (opened.delete(file) ? DONE : BAD_FILE),
    fd_fdstat_get(file: number, out: number) {
      if (file >= FIRST && !opened.has(file)) return BAD_FILE;
      new Uint8Array(memory().buffer, out, 24).fill(0);
      view().setUint8(out, file === ROOT ? DIRECTORY : file < ROOT ? 2 : REGULAR);
      view().setBigUint64(out + 8, ~0n, true);
      view().setBigUint64(out + 16, ~0n, true);
      return DONE;
    },
    fd_prestat_get(file: number, out: number) {
      if (file !== ROOT) return BAD_FILE;
      view().setUint32(out, 0, true);
      view().setUint32(out + 4, 1, true);
      return DONE;
    },
    fd_prestat_dir_name(_file: number, out: number) {
      view().setUint8(out, "/".charCodeAt(0));
      return DONE;
    },
    path_open(_root: number, _follow: number, path: number, length: number, _how: number, _rights: bigint, _inherited: bigint, _flags: number, out: number) {
      const bytes = files.get(text(path, length));
      if (!bytes) return NO_ENTRY;
      opened.set(next, { bytes, at: 0 });
      view().setUint32(out, next++, true);
      return DONE;
    },
    path_filestat_get(_root: number, _follow: number, path: number, length: number, out: number) {
      const bytes = files.get(text(path, length));
      return bytes ? tellStat(out, REGULAR, bytes.length) : NO_ENTRY;
    },
    path_rename(_root: number, path: number, length: number, _other: number, to: number, toLength: number) {
      const old = text(path, length), bytes = files.get(old);
      if (!bytes) return NO_ENTRY;
      files.delete(old);
      files.set(text(to, toLength), bytes);
      return DONE;
    },
    proc_exit(status: number) {
      throw new Error(said || `the simulation ended with status ${status}`);
    },
  };
  return new Proxy({}, { get: (_, name) => known[name as string] ?? (() => NOT_SUPPORTED) }) as WebAssembly.ModuleImports;
}
