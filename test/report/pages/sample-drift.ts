import type { Drift } from "../../../src/drift/find-drift.ts";
import { type DriftPageInput, driftSection } from "../../../src/report/pages/drift-page.ts";
import { sectionsPage } from "../../../src/report/pages/page-section.ts";
import { change, emptyPlan } from "../sample-plan.ts";
import { noon, scriptHash } from "./sample-page.ts";

/** One of everything that drift can say. */
export const sampleDrift: Drift = {
  project: "webshop",
  target: emptyPlan.target,
  drifted: [
    {
      ...change({ address: "testCase.a/configuration.c", kind: "configuration", action: "update", id: 3 }),
      action: "update",
      fields: [{ field: "concurrentClients", before: 20, after: 99, cause: "both", desired: 30 }],
    },
    {
      ...change({ address: "testCase.a/gateway.g", kind: "gateway", action: "delete", before: { name: "g" } }),
      action: "delete",
      fields: [],
    },
    {
      ...change({ address: "testCase.a/scenario#9", kind: "scenario", action: "create", reason: "added outside" }),
      action: "create",
      fields: [],
    },
  ],
  changed: [],
  unmanaged: [],
  byHand: [{ address: "testCase.a", what: "change the variable users (loadform.yaml:9)" }],
};

/** The page of drift, with nothing around it. */
export function driftPageOf(drift: Drift | undefined, more: Partial<DriftPageInput> = {}): string {
  const section = driftSection({
    number: 1,
    name: "webshop",
    ...(drift && { drift }),
    problems: [],
    blocked: 0,
    contents: () => undefined,
    lineOf: () => undefined,
    createdAt: new Date(noon).toISOString(),
    waysOut: {
      putBack: (address) => `apply ${address ?? "all"}`,
      accept: (address) => `accept ${address}`,
      declare: "import --all",
    },
    ...more,
  });
  return sectionsPage([section], { title: "Drift of webshop", hash: scriptHash });
}
