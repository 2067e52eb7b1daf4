import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../../support/source-files.ts";

describe("the program of the worker thread", () => {
  it("is that of the sources (node scripts/prepare.js makes it)", async () => {
    const { scriptWorkerSource } = (await import("../../../scripts/compile-worker.js" as string)) as {
      scriptWorkerSource: (root: string) => Promise<string>;
    };
    const built = readFileSync(join(repository, "gen", "script-worker.js"), "utf8");
    expect(built === (await scriptWorkerSource(repository)), "run node scripts/prepare.js").toBe(true);
  });
});
