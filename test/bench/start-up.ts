import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyExample } from "../support/copy-example.ts";
import { program, quickest, run } from "./measure.ts";
import type { Row } from "./table.ts";

const times = 15;

/** What a command costs over a Node that does nothing. */
export async function measureStartUp(): Promise<readonly Row[]> {
  const webshop = join(mkdtempSync(join(tmpdir(), "loadform-bench-")), "webshop");
  copyExample("webshop", webshop);
  const node = await quickest(times, () => run(process.execPath, ["-e", "0"]));
  const help = await quickest(times, () => run(process.execPath, [program, "--help"]));
  const plan = await quickest(times, () => run(process.execPath, [program, "plan", webshop, "--no-rehearsal"]));
  return [
    { what: "node -e 0", value: node.wallMs, unit: "ms" },
    { what: "--help, over node", value: help.wallMs - node.wallMs, unit: "ms", goal: { atMost: 60 } },
    {
      what: "plan of examples/webshop, over node",
      value: plan.wallMs - node.wallMs,
      unit: "ms",
      goal: { atMost: 300 },
    },
  ];
}
