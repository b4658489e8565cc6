// build.mjs: makes dist/index.html, the whole page in one file: src/page.html with the script and the styles inside.
// The same sources give the same bytes, so that a test can tell whether dist is what they make.

import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "index.html");

async function bundle(entry, define = {}) {
  const made = await build({
    entryPoints: [join(here, entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    loader: { ".css": "css" },
    define,
  });
  return made.outputFiles[0].text.trim();
}

const worker = await bundle("src/worker.ts");
const script = (await bundle("src/main.ts", { WORKER: JSON.stringify(worker) })).replaceAll("</script", "<\\/script");
const style = await bundle("src/style.css");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*STYLE*/", () => style)
  .replace("/*SCRIPT*/", () => script);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} gzipped`);
