// cases.mjs: runs the cases of a browser test one after the other; whatever the browser complained of meanwhile is a fault of that case.

import { join } from "node:path";

export function expect(what, fine) {
  if (!fine) throw new Error(what);
}

/** How many failed. `page()` is the one to take a picture of then. */
export async function runCases(cases, faults, page, folder) {
  let failed = 0;
  for (const [name, run] of Object.entries(cases)) {
    const began = Date.now();
    try {
      await run();
      const complaints = faults.splice(0);
      expect(`the browser complained: ${complaints.join("; ")}`, complaints.length === 0);
      console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (fault) {
      failed++;
      faults.length = 0;
      console.log(`FAILED  ${name}: ${fault.message.split("\n")[0]}`);
      await page()?.screenshot({ path: join(folder, `failed-${failed}.png`) }).catch(() => undefined);
    }
  }
  return failed;
}
