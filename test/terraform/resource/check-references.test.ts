import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/service/index.ts";
import { UNKNOWN } from "../../../src/terraform/wire/values.ts";
import { type Config, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

const type = "loadform_configuration";
const runner = (more: Config): Config => ({ provider_id: "0", ...more });

/** The same trouble with each list that a refresh asks for. */
const everywhere = (fault: Pick<Fault, "status" | "drop" | "body">): readonly Fault[] =>
  ["/orgs/:orgId/test-cases", "/orgs/:orgId/providers"].map((path) => ({ method: "GET", path, ...fault }));

/** A shop, and another connection that plans on it. */
async function shop() {
  const core = await SessionCore.open();
  const made = await makeShop(core);
  await core.walk();
  const configuration = (more: Config) => configurationOf(made.testCase, made.scenario, { name: "new", ...more });
  return { core, ...made, configured: configuration };
}

describe("a plan of what refers to nothing", () => {
  it("is refused at the region, with those that there are and the one that was meant", async () => {
    const { core, configured } = await shop();
    const providers = [runner({ regions: ["cloud-eu-west-1", UNKNOWN, "us-east-1"] })];
    expect(await core.refusals(type, configured({ providers }))).toEqual([
      {
        severity: "error",
        summary: "there is no region us-east-1",
        detail: expect.stringMatching(
          /^Public Shared Grid has no region "us-east-1"\. It has cloud-ap-south-1, .*\. Did you mean cloud-us-east-1\?$/,
        ),
        path: ["providers", 0, "regions", 2],
      },
    ]);
  });

  it.each([
    [
      "provider_id",
      { providers: [runner({ provider_id: "99" })] },
      'provider 99 is no object.*"Public Shared Grid" \\(id 0\\)',
    ],
    ["scenario_id", { scenario_id: "99" }, 'scenario 99 is no object.*has "browse" \\(id 1\\)'],
    ["test_case_id", { test_case_id: "99" }, 'test_case 99 is no object.*has "Shop" \\(id 1\\)'],
  ] as const)("is refused at %s", async (name, more, words) => {
    const { core, configured } = await shop();
    const found = await core.refusals(type, configured(more as Config));
    expect(found).toMatchObject([
      { severity: "error", summary: `${name} refers to nothing`, detail: expect.stringMatching(`^loadform_${words}`) },
    ]);
    expect(found[0]?.path?.at(-1)).toBe(name);
  });

  it("is refused of a region whose provider is no private grid, known or not", async () => {
    const { core } = await shop();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const cloud = await core.create("loadform_provider", { name: "cloud", provider_type: "CloudOnDemand" });
    await core.walk();
    const refusals = (id: string) => core.refusals("loadform_region", { name: "rack", provider_id: id });
    const grids = "expected a private grid: a Shared provider that is not public";
    for (const [id, name] of [
      ["0", "Public Shared Grid"],
      [idOf(cloud), "cloud"],
    ] as const)
      expect(await refusals(id)).toEqual([
        {
          severity: "error",
          summary: "provider_id refers to a provider that it cannot belong to",
          detail: `Found loadform_provider ${id}, "${name}"; ${grids}. The service has "grid" (id ${idOf(grid)}).`,
          path: ["provider_id"],
        },
      ]);
    expect(await refusals(idOf(grid))).toEqual([]);
  });

  it("is refused when a change of the attribute would lead there, and of an object only what changes is looked at", async () => {
    const { core, configuration, testCase, scenario } = await shop();
    const providers = [runner({ regions: ["nowhere"] })];
    const changed = configurationOf(testCase, scenario, { providers });
    expect(await core.refusals(type, changed, configuration)).toMatchObject([
      { summary: "there is no region nowhere" },
    ]);
    const before = core.service.requests.length;
    expect(await core.refusals(type, configurationOf(testCase, scenario), configuration)).toEqual([]);
    expect(core.service.requests.length - before).toBe(0);
  });

  it("is warned of at the region where that is deactivated, unless this run activates it again", async () => {
    const { core, configured } = await shop();
    const grid = idOf(await core.create("loadform_provider", { name: "grid", provider_type: "Shared" }));
    const region = { name: "cellar", provider_id: grid };
    const made = await core.create("loadform_region", region);
    await core.destroy(made);
    await core.walk();
    const config = configured({ providers: [runner({ provider_id: grid, regions: ["cellar"] })] });
    await core.plan(type, config);
    expect(core.warnings).toEqual([
      {
        severity: "warning",
        summary: "region cellar is deactivated",
        detail:
          "The region of grid is deactivated: no agent runs there. Declare it, which activates it again, or name another one",
        path: ["providers", 0, "regions", 0],
      },
    ]);
    await core.plan("loadform_region", region);
    await core.plan(type, config);
    expect(core.warnings).toHaveLength(1);
  });

  it("asks each list once for all of a plan", async () => {
    const { core, configured } = await shop();
    const before = core.service.requests.length;
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => core.plan(type, configured({ name }))));
    expect(core.service.requests.length - before).toBeLessThanOrEqual(2);
  });

  it("is none for regions and objects that this run makes", async () => {
    const { core, configured } = await shop();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const region = { name: "cellar", provider_id: idOf(grid) };
    await core.walk();
    const planned = await core.plan("loadform_region", region);
    const config = configured({ providers: [runner({ provider_id: idOf(grid), regions: ["cellar"] })] });
    const configuration = await core.plan(type, config);
    const other = configured({ providers: [runner({ provider_id: idOf(grid), regions: ["celar"] })] });
    expect((await core.refusals(type, other))[0]?.detail).toContain("It has cellar. Did you mean cellar?");
    await core.walk();
    await core.apply(planned);
    await core.apply(configuration);
    const late = await core.create("loadform_scenario", { test_case_id: "1", name: "late", script: "run()" });
    expect(await core.refusals(type, configured({ scenario_id: idOf(late) }))).toEqual([]);
  });

  it("is none for an object that the lists do not show and that answers to its id", async () => {
    const { core, configured } = await shop();
    await core.setFaults([{ method: "GET", path: "/orgs/:orgId/test-cases", status: 200, body: [] as never }]);
    expect(await core.refusals(type, configured({}))).toEqual([]);
  });

  it("is none where the service does not answer, which is warned of once; a refused key is an error", async () => {
    const { core, configured } = await shop();
    await core.setFaults(everywhere({ drop: "before" }));
    for (const name of ["a", "b"]) expect(await core.refusals(type, configured({ name }))).toEqual([]);
    expect(core.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("The plan was made without a look at whether the service has what it refers to"),
    ]);
    await core.walk();
    await core.setFaults(everywhere({ status: 401 }));
    expect(await core.refusals(type, configured({}))).toMatchObject([
      {
        summary: "the service refused the key (status 401)",
        detail: expect.stringMatching(
          /\. Set \$LOADFORM_API_KEY, or api_key of the provider block, to a key of this organization$/,
        ),
      },
    ]);
    expect(await core.refusals(type, configured({ name: "b" }))).toEqual([]);
  });
});

describe("a refresh that fails", () => {
  it("says one cause once, whatever was asked for, and keeps all states", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario, configuration } = await makeShop(core);
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    for (const fault of [
      { status: 403 },
      { status: 404 },
      { drop: "before" },
      { status: 200, body: "no list" },
    ] as const) {
      await core.walk();
      await core.setFaults(everywhere(fault));
      const kept = [testCase, scenario, configuration, grid];
      const read = await Promise.all(
        kept.map(({ type: of, value, private: bytes }) =>
          core.session.readResource({ type: of, state: value, private: bytes }),
        ),
      );
      expect(
        read.flatMap(({ diagnostics }) => diagnostics),
        JSON.stringify(fault),
      ).toHaveLength(1);
      expect(read.map(({ state }) => state)).toEqual(kept.map(({ value }) => value));
    }
  });
});
