import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadProject } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Json } from "../../src/model/json.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";
import { check } from "../support/deep.ts";
import { nearlySound } from "../support/nearly-sound.ts";
import { makeRig } from "../support/rig.ts";

/** The project as loaded offline, and what the service makes of it when it is sent all the same. */
async function bothVerdicts(document: Json) {
  const rig = makeRig();
  const workspace = memoryWorkspace({ "loadform.yaml": JSON.stringify(document) });
  const project = await loadProject({
    workspace,
    kinds,
    env: { SECRET: "s3cr3t-value" },
    vars: {},
    unsetEnv: "error",
    hash: sha256,
  });
  const offline = project.diagnostics.filter(({ severity }) => severity === "error");
  const outcome = await rig.apply(project.tree);
  const refused = outcome.diagnostics.filter(({ severity }) => severity === "error");
  const unread = rig.service.requests.flatMap(({ unknownFields }) => unknownFields);
  return { offline, refused, unread };
}

describe("what is refused offline and what the service refuses", () => {
  test.each(nearlySound)("are the same for %s: whatever passes offline is accepted", async (name, documents) => {
    let accepted = 0;
    const runs = await check(
      name,
      fc.asyncProperty(documents, async (document) => {
        const { offline, refused, unread } = await bothVerdicts(document);
        if (offline.length > 0) return;
        accepted += 1;
        expect(refused).toEqual([]);
        expect(unread).toEqual([]);
      }),
      { few: 200, deep: 20_000 },
    );
    expect(accepted).toBeGreaterThan(runs / 20);
  });
});
