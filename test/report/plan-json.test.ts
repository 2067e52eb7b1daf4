import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Change, Plan } from "../../src/plan/plan.ts";
import { digestedPlan, planDocument } from "../../src/report/plan-json.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { change, emptyPlan, field, fullPlan, instanceChanges } from "./sample-plan.ts";

const meta = {
  rehearsed: true,
  createdAt: "2026-11-21T09:00:00.000Z",
  requests: 5,
  diagnostics: [],
};
const documentOf = (parts: Partial<Plan>) => planDocument({ ...emptyPlan, ...parts }, meta);
const only = (parts: Partial<Change> & Pick<Change, "action">) => {
  const { resource_changes } = documentOf({ changes: [change({ address: "testCase.a", kind: "testCase", ...parts })] });
  return (resource_changes as readonly JsonObject[])[0] as JsonObject & { change: JsonObject };
};

describe("the JSON of a plan", () => {
  it("has Terraform's shape with everything in it", async () => {
    const text = `${JSON.stringify(digestedPlan(planDocument(fullPlan, meta), sha256), undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot("golden/full-plan-json.txt");
  });

  it("has the members that the contract names", () => {
    const document = digestedPlan(documentOf({}), sha256);
    expect(Object.keys(document).sort()).toEqual(
      [
        "created_at",
        "diagnostics",
        "digest",
        "format_version",
        "project",
        "rehearsed",
        "requests",
        "resource_changes",
        "resource_drift",
        "summary",
        "target",
        "unmanaged",
      ].sort(),
    );
    expect(document.format_version).toBe("1.2");
  });

  it("merges diagnostics without empty members", () => {
    const diagnostic = {
      severity: "warning",
      code: "LF3010",
      summary: "s",
      detail: "d",
      address: "testCase.a",
    } as const;
    expect(planDocument(emptyPlan, { ...meta, diagnostics: [diagnostic] }).diagnostics).toEqual([diagnostic]);
  });
});

describe("the actions of a change", () => {
  const cases: readonly [string, Partial<Change> & Pick<Change, "action">, readonly string[]][] = [
    ["a create", { action: "create" }, ["create"]],
    ["an update", { action: "update" }, ["update"]],
    ["a delete", { action: "delete" }, ["delete"]],
    ["a replacement that deletes first", { action: "replace" }, ["delete", "create"]],
    ["a replacement that creates first", { action: "replace", createFirst: true }, ["create", "delete"]],
    ["a forget", { action: "forget" }, ["forget"]],
    ["a move", { action: "no-op", previousAddress: "testCase.b" }, ["no-op"]],
    ["an adoption", { action: "update", importing: true, id: 3 }, ["update"]],
  ];
  it.each(cases)("are Terraform's for %s", (_title, parts, expected) => {
    expect(only(parts).change.actions).toEqual(expected);
  });

  it("come with the former address of a move and the id of an adoption", () => {
    expect(only({ action: "no-op", previousAddress: "testCase.b" }).previous_address).toBe("testCase.b");
    expect(only({ action: "no-op", importing: true, id: 3 }).change.importing).toEqual({ id: "3" });
    expect(only({ action: "update", id: 3 }).change).not.toHaveProperty("importing");
  });

  it("come with Terraform's reason where it has one", () => {
    expect(only({ action: "replace", reason: "cannot change in place" }).action_reason).toBe(
      "replace_because_cannot_update",
    );
    expect(only({ action: "replace", reason: "replace requested" }).action_reason).toBe("replace_by_request");
    expect(only({ action: "create", reason: "deleted outside" }).action_reason).toBe("deleted_outside");
    expect(only({ action: "delete" })).not.toHaveProperty("action_reason");
  });

  it("come with a type in Terraform's spelling", () => {
    expect(only({ action: "create" }).type).toBe("loadform_test_case");
    expect(only({ action: "create", kind: "vcsRoot" }).type).toBe("loadform_vcs_root");
  });
});

describe("the sides of a change", () => {
  it("are null, and not sensitive, where there is no object", () => {
    const made = only({ action: "create", after: { name: "A" } }).change;
    expect(made).toMatchObject({ before: null, after: { name: "A" }, before_sensitive: false, after_sensitive: {} });
    const gone = only({ action: "delete", before: { name: "A" }, after: { name: "A" } }).change;
    expect(gone).toMatchObject({
      before: { name: "A" },
      after: null,
      before_sensitive: {},
      after_sensitive: false,
      after_unknown: {},
    });
  });

  it("spell references as addresses and texts as hash and size", () => {
    const after = {
      scenario: { ref: "testCase.a/scenario.b" },
      provider: { id: 0 },
      script: { $content: "ab", bytes: 2 },
    };
    expect(only({ action: "create", after }).change.after).toEqual({
      scenario: "testCase.a/scenario.b",
      provider: { id: 0 },
      script: { sha256: "ab", bytes: 2 },
    });
  });

  it("leave a user's own mapping with the key ref alone", () => {
    expect(only({ action: "create", after: { scriptParams: { ref: "main" } } }).change.after).toEqual({
      scriptParams: { ref: "main" },
    });
  });

  it("leave out what is known only after the apply, and say so", () => {
    const fields = [field("scenario", { before: { id: 1 }, after: { ref: "testCase.a/scenario.b" }, unknown: true })];
    const { after, after_unknown } = only({
      action: "update",
      fields,
      before: {},
      after: { name: "A", scenario: { ref: "testCase.a/scenario.b" } },
    }).change;
    expect({ after, after_unknown }).toEqual({ after: { name: "A" }, after_unknown: { scenario: true } });
  });

  it("mark secrets where they stand, as deep as they stand", () => {
    const before = { password: { $secret: "1" }, metadata: { key: { $secret: "2" }, zone: "a" } };
    const after = { password: { $secret: "9" }, metadata: { key: { $secret: "2" }, zone: "a" } };
    expect(only({ action: "update", before, after }).change).toMatchObject({
      before: { password: "(sensitive)", metadata: { key: "(sensitive)", zone: "a" } },
      after: { password: "(secret changed)", metadata: { key: "(sensitive)", zone: "a" } },
      before_sensitive: { password: true, metadata: { key: true } },
      after_sensitive: { password: true, metadata: { key: true } },
    });
  });

  it("hide a name that is a secret", () => {
    const parts = { action: "create", name: "from-env", after: { name: { $secret: "1" } } } as const;
    expect(JSON.stringify(only(parts))).not.toContain("from-env");
  });

  it("go by the key where the service has no name for them", () => {
    expect(only({ action: "delete", address: "testCase.a/schedule.nightly", id: 4, name: "4" }).name).toBe("nightly");
  });

  it("hold no fingerprint of a secret", () => {
    expect(JSON.stringify(planDocument(fullPlan, meta))).not.toMatch(/\$secret|"f1"|"f2"|"t1"/);
  });
});

describe("the digest of a plan", () => {
  const digest = (plan: Plan, other: Partial<Parameters<typeof planDocument>[1]> = {}) =>
    digestedPlan(planDocument(plan, { ...meta, ...other }), sha256).digest;
  const withSecrets = (password: string): Plan => ({
    ...emptyPlan,
    changes: [
      change({
        address: "vcsRoot.a",
        kind: "vcsRoot",
        action: "update",
        before: { password: { $secret: "old" } },
        after: { password: { $secret: password } },
      }),
    ],
  });

  it("is the environment and a SHA-256 of the document that holds it", () => {
    const document = digestedPlan(planDocument(fullPlan, meta), sha256);
    expect(document.digest).toMatch(/^[^.]+\.[0-9a-f]{64}$/);
    expect(digestedPlan(document, sha256).digest).toBe(document.digest);
  });

  it("does not depend on when and with how many requests the plan was made, and on what is only said about it", () => {
    expect(digest(fullPlan, { createdAt: "2030-01-01T00:00:00.000Z", requests: 99, rehearsed: false })).toBe(
      digest(fullPlan),
    );
    expect(
      digest(fullPlan, { diagnostics: [{ severity: "warning", code: "LF3010", summary: "s", detail: "d" }] }),
    ).toBe(digest(fullPlan));
  });

  it("does not depend on the fingerprints of secrets", () => {
    expect(digest(withSecrets("a"))).toBe(digest(withSecrets("b")));
  });

  it("does not depend on the instances of modules, which the document has by address beside the changes", () => {
    const { changes, instances } = instanceChanges(2);
    const plan = { ...emptyPlan, changes };
    expect(digest(plan, { instances })).toBe(digest(plan));
    expect(planDocument(plan, { ...meta, instances }).instances).toEqual({
      "testCase.svc1-api": "svc1",
      "testCase.svc2-api": "svc2",
      "testCase.svc1-api/scenario.call": "svc1",
      "testCase.svc2-api/scenario.call": "svc2",
    });
    expect(planDocument(emptyPlan, { ...meta, instances })).not.toHaveProperty("instances");
  });

  it("depends on everything else", () => {
    const [first, ...rest] = fullPlan.changes;
    expect(digest({ ...fullPlan, changes: rest })).not.toBe(digest(fullPlan));
    expect(digest({ ...fullPlan, changes: [{ ...first!, name: "Other" }, ...rest] })).not.toBe(digest(fullPlan));
    expect(digest({ ...fullPlan, environment: "production" })).not.toBe(digest(fullPlan));
  });
});
