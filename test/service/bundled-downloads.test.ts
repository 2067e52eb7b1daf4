import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PNG } from "pngjs";
import { expect, it } from "vitest";
import type { createService } from "../../src/service/index.ts";
import { builtCli } from "../support/built-cli.ts";
import { rigOf } from "./support/rig.ts";
import { bytesOf, fileOf, makeCompletedRun, putProbe, testOf } from "./support/run-rig.ts";

/** Libraries that are loaded when they are needed look otherwise from a bundle. */
it("the bundle answers downloads, zips and compared images with the bytes of the sources", async () => {
  const files = [fileOf(1, "home.png", PNG.sync.write(new PNG({ width: 2, height: 2 })))];
  const rig = await makeCompletedRun(
    { files, tests: [testOf("opens")] },
    { conf: { imageDiffMode: "PreviousExecution" } },
  );
  await rig.ok("POST", "/test-confs/1/executions");
  await putProbe(rig, 2, { files });
  await rig.service.advance(120_000);
  const path = join(dirname(await builtCli()), "service.js");
  const bundle = (await import(pathToFileURL(path).href)) as { readonly createService: typeof createService };
  const clock = { mode: "frozen", now: "2026-11-20T11:00:00.000Z" } as const;
  const bundled = await rigOf(bundle.createService({ clock, state: rig.service.snapshot() }));
  for (const each of ["output-files", "output-files.zip", "results.csv", "suite-results", "traces", "traces.zip"])
    expect(await bytesOf(bundled, `/executions/2/${each}`), each).toEqual(await bytesOf(rig, `/executions/2/${each}`));
  expect(await bundled.ok("GET", "/executions/2/output-files")).toMatchObject([{ diffPercent: 0 }]);
});
