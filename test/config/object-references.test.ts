import { describe, expect, test } from "vitest";
import { loadFiles, nodeAt } from "../support/load-files.ts";
import { browse, configuration, scenario, smoke } from "./declared-snippets.ts";

describe("references", () => {
  test("by id lead to addresses: beside, in another case, above", async () => {
    const project = await loadFiles(`testCases:
  checkout:
    scenarios: { browse: { script: run() } }
    configurations:
      here: { scenario: browse, durationSecs: 1, concurrentClients: 1, providers: [{ provider: grid }, { provider: { id: 0 } }, { provider: { name: Public } }] }
      there: { scenario: search/find, durationSecs: 1, concurrentClients: 1, providers: [{ provider: { id: 0 } }] }
  search: { scenarios: { find: { script: run() } } }
providers: { grid: { providerType: Shared } }
`);
    expect(project.diagnostics).toEqual([]);
    const here = nodeAt(project, "testCase.checkout/configuration.here").fields;
    expect(here.scenario).toEqual({ ref: "testCase.checkout/scenario.browse" });
    expect(here.providers).toEqual([
      { provider: { id: 0 } },
      { provider: { name: "Public" } },
      { provider: { ref: "provider.grid" } },
    ]);
    expect(nodeAt(project, "testCase.checkout/configuration.there").fields.scenario).toEqual({
      ref: "testCase.search/scenario.find",
    });
  });

  test("by name become the declared object's name, which comes first; other text stays", async () => {
    const project = await loadFiles(
      `${scenario("script: run(), tags: [nightly, release-gate, other]")}tags: { nightly: {}, release: { name: release-gate } }\n`,
    );
    expect(nodeAt(project, browse)).toMatchObject({
      fields: { tags: ["nightly", "other", "release-gate"] },
      dependsOn: ["tag.nightly", "tag.release"],
    });
    const runner = await loadFiles(
      `${configuration("durationSecs: 1").replace("{ id: 0 }", "grid, regions: [dc1, cloud-us-east-1], weight: [1, 3]")}providers: { grid: { providerType: Shared } }\nregions: { dc1: { name: dc-1, provider: grid } }\n`,
    );
    expect(runner.diagnostics).toEqual([]);
    expect(nodeAt(runner, smoke)).toMatchObject({
      fields: {
        providers: [
          {
            provider: { ref: "provider.grid" },
            regions: [
              { name: "cloud-us-east-1", weight: 3 },
              { name: "dc-1", weight: 1 },
            ],
          },
        ],
      },
      dependsOn: ["region.dc1"],
    });
  });

  test("by name lead to an object within what is named beside it: two grids may have regions of one name", async () => {
    const grids = "providers: { berlin: { providerType: Shared }, paris: { providerType: Shared } }\n";
    const regions = "regions: { rack: { provider: berlin }, rack-2: { name: rack, provider: paris } }\n";
    const dependsOn = async (runner: string) => {
      const runners = configuration("durationSecs: 1").replace("provider: { id: 0 }", runner);
      const node = nodeAt(await loadFiles(`${runners}${grids}${regions}`), smoke);
      return [node.dependsOn, JSON.stringify(node.fields["providers"])];
    };
    const placed = (grid: string, region: string) =>
      `[{"provider":{"ref":"provider.${grid}"},"regions":["${region}"]}]`;
    expect(await dependsOn("regions: [rack], provider: berlin")).toEqual([["region.rack"], placed("berlin", "rack")]);
    expect(await dependsOn("provider: paris, regions: [rack]")).toEqual([["region.rack-2"], placed("paris", "rack")]);
    expect(await dependsOn("provider: paris, regions: [rack-2]")).toEqual([["region.rack-2"], placed("paris", "rack")]);
    // No region of its own grid is called so: it is a name at the service.
    expect(await dependsOn("provider: berlin, regions: [rack-2]")).toEqual([undefined, placed("berlin", "rack-2")]);
  });
});
