import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemMetrics } from "../../src/model/gates/metric.ts";
import { repository } from "../support/source-files.ts";

const unitsInKpis: Readonly<Record<string, string>> = { ms: "ms", bytes: "bytes", percent: "%" };

it("docs/gates.md lists every metric of the service with its display name, type and unit", () => {
  const page = readFileSync(join(repository, "docs/gates.md"), "utf8");
  const [, table = ""] = page.split(/^\| Metric .*\n\| -.*\n/m);
  const rows = table.split("\n\n")[0]?.trimEnd().split("\n") ?? [];
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  expect(cells.map(([, ...row]) => row.slice(0, 4))).toEqual(
    Object.entries(systemMetrics).map(([name, { label, type, units }]) => [
      name,
      label,
      type,
      unitsInKpis[units] ?? "",
    ]),
  );
});
