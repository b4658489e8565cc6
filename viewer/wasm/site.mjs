// Puts a static page together that any web server can host: node site.mjs THRONG PAGE MODULE FOLDER
// The page (viewer/dist/index.html), the module beside it, and moments of the scenes, of which the page draws its
// gallery's pictures: the program makes them as for its own page, once.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [throng, page, module, folder] = process.argv.slice(2);
const moments = join(folder, "moments");
mkdirSync(moments, { recursive: true });
const tag = '<script type="application/octet-stream" id="module" data-src="throng.wasm.gz" data-moments="moments/"></script>';
writeFileSync(join(folder, "index.html"), readFileSync(page, "utf8").replace("<!--RUN-->", tag));
writeFileSync(join(folder, "throng.wasm.gz"), gzipSync(readFileSync(module), { level: 9 }));

const program = spawn(throng, ["view", "--no-open", "--quiet"], { stdio: ["ignore", "pipe", "inherit"] });
const address = new URL(await new Promise((resolve) => program.stdout.once("data", (line) => resolve(String(line).trim()))));
const ask = (path, name) => {
  const at = new URL(path, address);
  at.search = address.search;
  if (name) at.searchParams.set("name", name);
  return fetch(at);
};
let made = 0;
for (const { name } of await (await ask("scenes.json")).json()) {
  const file = join(moments, `${name.replaceAll("/", "-")}.bin.gz`);
  if (existsSync(file) || /^ *"objects":/m.test(await (await ask("scenario.json", name)).text())) continue;
  if (made++ === 0) console.log("Running scenes for the gallery ...");
  const answer = await ask("scene.bin", name);
  if (answer.ok) writeFileSync(file, gzipSync(Buffer.from(await answer.arrayBuffer())));
}
program.kill();
