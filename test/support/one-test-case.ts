import { toTree, type Wish } from "./random-project.ts";
import type { Rig } from "./rig.ts";

/** A scenario with its text. */
export const scenario = (key: string, script = key): Wish => ({
  kind: "scenario",
  key,
  fields: { name: key, script },
  below: [],
});
/** The gateway g. */
export const gateway = (fields: Wish["fields"] = {}): Wish => ({
  kind: "gateway",
  key: "g",
  fields: { name: "g", url: "https://g.test", ...fields },
  below: [],
});
/** The configuration c, which runs a scenario. */
export const configuration = (of: string, durationSecs = 10, below: readonly Wish[] = []): Wish => ({
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: `testCase.t/scenario.${of}` },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs,
    concurrentClients: 1,
  },
  below,
});
/** The test case t with what lies below it. */
export const shop = (below: readonly Wish[], fields: Wish["fields"] = {}) =>
  toTree([{ kind: "testCase", key: "t", fields: { name: "t", ...fields }, below }]);

/** A request of somebody else, not waited for. */
export const send = (rig: Rig, method: string, path: string, body?: Record<string, unknown>) =>
  void rig.service.handle({ method, path: `${path}?key=local`, ...(body && { body: body as never }) });
