import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type AnyKind, isDeactivated } from "../../src/model/kind.ts";
import { liveHandle, type Tree, type TreeNode } from "../../src/model/tree.ts";
import { changedInAnswer } from "../../src/remote/compare-answer.ts";
import { isThere, readObject, removeUntilGone } from "../../src/remote/confirm-gone.ts";
import { findLostCreate, traceableFields } from "../../src/remote/find-lost-create.ts";
import { type InlineChild, writtenChildren } from "../../src/remote/inline-children.ts";
import { updateObject } from "../../src/remote/write-object.ts";
import { type Bench, makeBench } from "../support/remote-bench.ts";

/** An object that exists, with what was sent of it. */
interface Existing {
  readonly id: number;
  readonly parentId?: number;
  readonly fields: JsonObject;
}

/** How one kind is driven through `remote` alone. */
interface Drive {
  /** Creates an object of this name, or of the nameless kind the one of this number. */
  readonly create: (bench: Bench, above: Above, name: string) => Promise<Existing>;
  /** Changes it in place; absent for what cannot be changed. */
  readonly update?: (bench: Bench, above: Above, existing: Existing) => Promise<JsonObject>;
  readonly remove: (bench: Bench, above: Above, existing: Existing) => Promise<void>;
}

/** What an object needs to be there before it. */
interface Above {
  readonly testCase: number;
  readonly scenario: number;
  readonly provider: number;
  readonly configuration: number;
}

const runner = (provider: number) => ({ provider: { id: provider }, regions: ["lab"], numRegions: 1 });
const load = ({ scenario, provider }: Pick<Above, "scenario" | "provider">) => ({
  scenario: { id: scenario },
  durationSecs: 60,
  concurrentClients: 5,
  providers: [runner(provider)],
});
const daily = (hour: number) => ({ scheduleType: "Recurring", recurringInterval: "Day", hour });

async function makeAbove({ create }: Bench): Promise<Above> {
  const testCase = (await create("testCase", { name: "above" })).id;
  const scenario = (await create("scenario", { name: "above", script: "run()" }, { parentId: testCase })).id;
  const provider = (await create("provider", { name: "above", providerType: "Shared" })).id;
  await create("region", { name: "lab", provider: { id: provider } });
  const input = { name: "above", ...load({ scenario, provider }) };
  const configuration = (await create("configuration", input, { parentId: testCase })).id;
  return { testCase, scenario, provider, configuration };
}

interface Plain {
  readonly parent?: keyof Above;
  readonly input: (above: Above) => JsonObject;
  readonly change: JsonObject;
}

/** A kind that is written by requests of its own. */
function separate(kindName: string, { parent, input, change }: Plain): Drive {
  const parentOf = (above: Above) => (parent === undefined ? {} : { parentId: above[parent] });
  return {
    async create(bench, above, name) {
      const values = { name, ...input(above) };
      const wire = await bench.create(kindName, values, parentOf(above));
      const fields = bench.fieldsOf(bench.kindOf(kindName), values);
      expect(changedInAnswer(bench.kindOf(kindName), fields, { wire, sources: bench.sources })).toEqual([]);
      return { id: wire.id, fields, ...parentOf(above) };
    },
    async update({ scope, sources, kindOf, fieldsOf }, _above, existing) {
      const kind = kindOf(kindName);
      const fields = fieldsOf(kind, change);
      const declared = { ...existing.fields, ...fields };
      const currentName = String(existing.fields["name"]);
      const wire = await updateObject(scope, kind, { ...existing, currentName, fields, declared, sources });
      expect(wire.id).toBe(existing.id);
      return fields;
    },
    remove: ({ scope, kindOf, read, rig }, _above, { id, parentId }) =>
      removeUntilGone(scope, kindOf(kindName), {
        id,
        parentId,
        mayRemove: async () => true,
        isListed: async () => (await read()).nodes.has(liveHandle(kindName, id)),
        sleep: rig.system.sleep,
      }),
  };
}

/** Writes the whole list of a configuration's schedules. */
async function writeSchedules({ scope, sources, kindOf, fieldsOf }: Bench, above: Above, items: InlineChild[]) {
  const declared = fieldsOf(kindOf("configuration"), { name: "above", ...load(above) });
  const inline = { kind: kindOf("schedule"), items };
  const update = { id: above.configuration, currentName: "above", fields: {}, declared, inline, sources };
  const wire = await updateObject(scope, kindOf("configuration"), update);
  return writtenChildren(inline, wire);
}

async function otherSchedules({ read, kindOf }: Bench, id?: number): Promise<InlineChild[]> {
  const ours = [...(await read()).nodes.values()].filter(({ kind }) => kind === "schedule");
  const { fields: of } = kindOf("schedule");
  return ours
    .filter(({ identity }) => identity?.id !== id)
    .map(({ identity, fields }) => {
      const inside = Object.entries(fields).filter(([name]) => !of[name]?.separateRequest);
      return { id: identity?.id ?? 0, fields: Object.fromEntries(inside) };
    });
}

/** One line per kind; adding a kind adds its line. */
const drives: Readonly<Record<string, Drive>> = {
  testCase: separate("testCase", { input: () => ({ description: "one" }), change: { description: "two" } }),
  scenario: separate("scenario", {
    parent: "testCase",
    input: () => ({ script: "run(1)", tags: ["nightly"], paramsConfig: [{ name: "a" }] }),
    change: { script: "run(2)" },
  }),
  dataStore: separate("dataStore", {
    parent: "scenario",
    input: () => ({ contents: "a,b\n1,2\n" }),
    change: { contents: "a,b\n3,4\n" },
  }),
  configuration: separate("configuration", { parent: "testCase", input: load, change: { concurrentClients: 7 } }),
  gateway: separate("gateway", {
    parent: "testCase",
    input: () => ({ url: "https://shop.test" }),
    change: { name: "renamed" },
  }),
  vcsRoot: separate("vcsRoot", { input: () => ({ url: "https://git.test/a.git" }), change: { branch: "main" } }),
  provider: separate("provider", { input: () => ({ providerType: "Shared" }), change: { name: "renamed" } }),
  region: separate("region", {
    input: ({ provider }) => ({ provider: { id: provider }, description: "one" }),
    change: { description: "two" },
  }),
  schedule: {
    async create(bench, above, name) {
      const fields = bench.fieldsOf(bench.kindOf("schedule"), daily(name === "first" ? 1 : 2));
      const written = await writeSchedules(bench, above, [...(await otherSchedules(bench)), { fields }]);
      return { id: written.at(-1)?.child.id ?? 0, fields, parentId: above.configuration };
    },
    async update(bench, above, { id }) {
      const schedule = bench.kindOf("schedule");
      const fields = bench.fieldsOf(schedule, daily(5));
      await writeSchedules(bench, above, [...(await otherSchedules(bench, id)), { id, fields }]);
      await schedule.remote.set?.({ ...bench.scope, id, body: { active: false } });
      return { ...fields, active: false };
    },
    async remove(bench, above, { id }) {
      await writeSchedules(bench, above, await otherSchedules(bench, id));
    },
  },
  tag: {
    async create({ create, read }, { testCase }, name) {
      await create("scenario", { name, script: "run()", tags: [name] }, { parentId: testCase });
      const node = [...(await read()).nodes.values()].find(
        (each) => each.kind === "tag" && each.fields["name"] === name,
      );
      return { id: node?.identity?.id ?? 0, fields: { name } };
    },
    remove: separate("tag", { input: () => ({}), change: {} }).remove,
  },
};

const nodeOf = (tree: Tree, kind: AnyKind, id: number): TreeNode | undefined => {
  const node = tree.nodes.get(liveHandle(kind.name, id));
  return node === undefined || isDeactivated(kind, node) ? undefined : node;
};

/** Fields as a tree shows them: bytes are not listed. */
const readable = (kind: AnyKind, fields: JsonObject) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => kind.fields[name]?.content !== "bytes"));

describe("through remote alone", () => {
  test("every kind is driven", () => {
    expect(Object.keys(drives).sort()).toEqual(kinds.map(({ name }) => name).sort());
  });

  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    "a %s is created, changed and deleted",
    async (name, kind) => {
      const bench = makeBench();
      const above = await makeAbove(bench);
      const drive = drives[name] ?? expect.fail(`no drive for ${name}`);
      const existing = await drive.create(bench, above, "first");
      const created = nodeOf(await bench.read(), kind, existing.id);
      expect(created?.fields).toMatchObject(readable(kind, existing.fields));
      const identity = { id: existing.id, createdAt: created?.identity?.createdAt ?? "" };
      expect(await isThere(bench.scope, kind, identity)).toBe(kind.remote.read !== undefined);
      const changed = (await drive.update?.(bench, above, existing)) ?? existing.fields;
      const updated = nodeOf(await bench.read(), kind, existing.id);
      expect(updated?.fields).toMatchObject(readable(kind, { ...existing.fields, ...changed }));
      expect(updated?.identity?.createdAt).toBe(identity.createdAt);
      await drive.remove(bench, above, existing);
      expect(nodeOf(await bench.read(), kind, existing.id)).toBeUndefined();
      expect(await readObject(bench.scope, kind, existing.id)).toBeUndefined();
    },
  );

  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    "a lost create of a %s is found again",
    async (name, kind) => {
      const bench = makeBench();
      const above = await makeAbove(bench);
      const drive = drives[name] ?? expect.fail(`no drive for ${name}`);
      await drive.create(bench, above, "first");
      const before = await bench.read();
      const known = [...before.nodes.values()].flatMap((node) =>
        node.kind === name && node.identity ? [node.identity.id] : [],
      );
      const { id, parentId, fields } = await drive.create(bench, above, "second");
      const sent = traceableFields(kind, fields);
      const isNamed = kind.fields["name"] !== undefined;
      const lost = {
        ...{ kind, parentId, sent, known, sentAt: bench.rig.system.now(), isBound: () => false },
        ...(isNamed && { name: "second" }),
      };
      expect(findLostCreate(lost, before)).toEqual({ outcome: "absent" });
      const match = findLostCreate(lost, await bench.read());
      expect(match).toMatchObject({ outcome: "found", node: { handle: liveHandle(name, id) } });
    },
  );
});
