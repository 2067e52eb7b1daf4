// merge: the provider's guarantees through the real Terraform and its process
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/service/index.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { changedResources, declaredResources, lives } from "../support/terraform/ten-lives.ts";

const rows = Object.entries(lives);
const addresses = rows.map(([address]) => address).sort();

/** Every one of those addresses with one and the same action. */
const all = (action: string, of: readonly string[]) => Object.fromEntries(of.map((address) => [address, action]));

describe.skipIf(!hasTerraform)("the life of each of the ten resources", () => {
  const world = new HostedWorld();
  let kept: { readonly state: string; readonly snapshot: Snapshot };

  beforeAll(async () => {
    world.declare(declaredResources);
    const applied = await world.apply();
    expect(applied).toMatchObject({ code: 0, errors: [], warnings: [], actions: all("create", addresses) });
    kept = { state: world.state ?? "", snapshot: world.service.snapshot() };
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    rmSync(join(world.path, "generated.tf"), { force: true });
    world.declare(declaredResources);
    world.state = kept.state;
    await world.service.restore(kept.snapshot);
  });

  const isSettled = async () => {
    expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [], warnings: [] });
  };

  it("create: a second plan is empty, and asks for all resources at once", async () => {
    const before = world.service.requests.length;
    await isSettled();
    expect(world.service.requests.length - before).toBeLessThanOrEqual(10);
  });

  it.each([
    ["update", rows.flatMap(([address, { update }]) => (update ? [[address, update] as const] : []))],
    ["rename", rows.flatMap(([address, { rename }]) => (rename ? [[address, rename] as const] : []))],
  ] as const)("%s: in place, under the same id", async (_, changes) => {
    const before = world.attributes();
    world.declare(changedResources(Object.fromEntries(changes)));
    const touched = changes.map(([address]) => address);
    expect(await world.apply()).toMatchObject({ code: 0, errors: [], actions: all("update", touched) });
    const after = world.attributes();
    for (const address of touched) expect(after[address]?.["id"], address).toBe(before[address]?.["id"]);
    await isSettled();
  });

  it("rename of a tag: refused with what to do", async () => {
    world.declare(changedResources({ "loadform_tag.nightly": { name: "weekly" } }));
    const { code, errors } = await world.plan();
    expect(code).toBe(1);
    expect(errors.join()).toContain("Declare a new loadform_tag");
  });

  it("replace: another object takes the place of the one before", async () => {
    const replaced = rows.flatMap(([address, { replace }]) => (replace ? [[address, replace.members] as const] : []));
    const before = world.attributes();
    world.declare(changedResources(Object.fromEntries(replaced)));
    const touched = replaced.map(([address]) => address);
    const applied = await world.apply();
    expect(applied).toMatchObject({ code: 0, errors: [], actions: all("replace", touched) });
    const after = world.attributes();
    for (const address of touched) expect(after[address]?.["id"], address).not.toBe(before[address]?.["id"]);
    await isSettled();
  });

  it("drift: is shown, and is taken back", async () => {
    const drifts = rows.flatMap(([address, { drift }]) => (drift ? [{ address, ...drift }] : []));
    const before = world.attributes();
    for (const { request } of drifts) await world.send(...request((address) => world.id(address)));
    const touched = drifts.map(({ address }) => address);
    const planned = await world.plan();
    expect(planned).toMatchObject({ code: 2, errors: [] });
    expect(planned.drift).toMatchObject(all("update", touched));
    expect(planned.actions).toEqual(all("update", touched));
    expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
    const after = world.attributes();
    for (const { address, attribute } of drifts)
      expect(after[address]?.[attribute], address).toEqual(before[address]?.[attribute]);
    await isSettled();
  });

  it("deleted by somebody else: is created again", async () => {
    await world.send("DELETE", `/test-cases/${world.id("loadform_test_case.shop")}`);
    await world.send("DELETE", `/vcs-roots/${world.id("loadform_vcs_root.scripts")}`);
    await world.send("PUT", `/regions/${world.id("loadform_region.cellar")}`, { active: false });
    const { drift } = await world.plan();
    const gone = Object.keys(drift).filter((address) => drift[address] === "delete");
    expect(gone).toEqual(expect.arrayContaining(["loadform_region.cellar", "loadform_schedule.night"]));
    expect(await world.apply()).toMatchObject({ code: 0, errors: [], actions: all("create", gone) });
    await isSettled();
  });

  it("import: with the configuration that Terraform writes a plan is empty", async () => {
    // The id of a tag is known after the scenario that carries it.
    await world.told("apply", "-refresh-only", "-auto-approve");
    const ids = addresses.map((to) => ({ to, id: String(world.id(to)) }));
    const snapshot = world.service.snapshot();
    world.state = undefined;
    world.declare({}, { import: ids });
    const planned = await world.run("plan", "-no-color", "-generate-config-out=generated.tf");
    expect(planned.output).toContain(`${addresses.length} to import, 0 to add, 0 to change, 0 to destroy`);
    expect(readFileSync(join(world.path, "generated.tf"), "utf8")).toContain('resource "loadform_schedule" "night"');
    expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
    await isSettled();
    expect(world.service.snapshot()).toEqual(snapshot);
  });

  it("destroy: nothing remains", async () => {
    expect(await world.destroy()).toMatchObject({ code: 0, errors: [], actions: all("delete", addresses) });
    const { tables } = world.service.snapshot();
    for (const kind of ["testCase", "scenario", "dataStore", "configuration", "schedule", "gateway", "vcsRoot", "tag"])
      expect(tables[kind] ?? [], kind).toEqual([]);
  });
});
