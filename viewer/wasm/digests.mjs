// Runs scenes in the WebAssembly module and prints their digests: node digests.mjs MODULE SCENE SECONDS ...
import { readFileSync } from "node:fs";
import { open } from "./module.mjs";

const [, , path, ...runs] = process.argv;
const web = await open(readFileSync(path));
for (let i = 0; i < runs.length; i += 2) {
  web.told.length = 0;
  web.command({ do: "open", scene: runs[i], paused: true });
  web.run(Number(runs[i + 1]));
  const fault = web.told.find((t) => t.type === "error");
  console.log(runs[i], fault ? `refused: ${fault.message}` : web.digest());
}
