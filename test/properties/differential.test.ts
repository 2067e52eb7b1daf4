import fc from "fast-check";
import { expect, test } from "vitest";
import { loadProject } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Json } from "../../src/model/json.ts";
import type { Tree } from "../../src/model/tree.ts";
import { createService } from "../../src/service/index.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";
import { check } from "../support/deep.ts";
import { nearlySound } from "../support/nearly-sound.ts";
import { makeRig, type Rig, rigStart } from "../support/rig.ts";

const errorsOf = (diagnostics: readonly Diagnostic[]) => diagnostics.filter(({ severity }) => severity === "error");
const placesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ address }) => address).sort();

/** The same service twice: what is sent to one of them does not travel, to the other it travels over HTTP. */
async function bothWays<T>(use: (inProcess: Rig, overHttp: Rig) => Promise<T>): Promise<T> {
  const [near, far] = [0, 0].map(() => createService({ clock: { mode: "frozen", now: rigStart }, seed: 1 })) as [
    Rig["service"],
    Rig["service"],
  ];
  const { url } = await far.listen();
  return use(makeRig({ service: near }), makeRig({ service: far, url })).finally(far.close);
}

/**
 * Errors offline about what the tree does not have, so that the service cannot refuse it: a field that has no effect, one that such a
 * field contradicts, a weight without a region. A user is told that they do nothing; the service drops such fields
 * (docs/service-decisions.md: API 1, Create body fields, and API 1, Schedule).
 */
const notInTree = /has no effect|exclude each other|weights do not match/;

/** What a rehearsal, the service in this process and the service over HTTP make of a tree. */
async function verdicts(tree: Tree) {
  return bothWays(async (inProcess, overHttp) => {
    const planned = await inProcess.plan(tree, { rehearsal: true });
    const [near, far] = [
      await inProcess.apply(tree, { parallelism: 1 }),
      await overHttp.apply(tree, { parallelism: 1 }),
    ];
    const found = planned.diagnostics.filter(({ code }) => /^LF30(19|20|21)$/.test(code));
    const unread = overHttp.service.requests.flatMap(({ unknownFields }) => unknownFields);
    const results = [inProcess, overHttp].map(({ service }) => service.snapshot());
    return { planned, found, near, far, unread, results, again: await overHttp.plan(tree) };
  });
}

function load(document: Json) {
  const workspace = memoryWorkspace({ "loadform.yaml": JSON.stringify(document) });
  const given = { workspace, kinds, env: { SECRET: "s3cr3t-value" }, vars: {}, hash: sha256 };
  return loadProject({ ...given, unsetEnv: "error" });
}

test("validation, rehearsal and the service over HTTP agree on what is refused and on the result", async () => {
  const tally = { sound: 0, refused: 0 };
  const documents = fc.oneof(...nearlySound.map(([, each]) => each));
  await check(
    "differential",
    fc.asyncProperty(documents, async (document) => {
      const { tree, diagnostics } = await load(document);
      const offline = errorsOf(diagnostics);
      const { planned, found, near, far, unread, results, again } = await verdicts(tree);
      expect(errorsOf(far.diagnostics)).toEqual(errorsOf(near.diagnostics));
      expect(results[1]).toEqual(results[0]);
      const refused = errorsOf(far.diagnostics);
      if (planned.rehearsed) expect(placesOf(found)).toEqual(placesOf(refused));
      if (offline.length === 0) expect([refused, unread]).toEqual([[], []]);
      if (offline.length > 0 && refused.length === 0 && unread.length === 0)
        expect(offline.map(({ summary }) => summary).join("; ")).toMatch(notInTree);
      if (refused.length === 0) expect(again.plan?.operations).toEqual([]);
      tally[refused.length > 0 || offline.length > 0 ? "refused" : "sound"] += 1;
    }),
    { few: 45, deep: 1_000 },
  );
  expect(Math.min(tally.sound, tally.refused)).toBeGreaterThan(0);
});
