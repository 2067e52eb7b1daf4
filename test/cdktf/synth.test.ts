import { join } from "node:path";
import * as cdktf from "cdktf";
import * as cdktn from "cdktn";
import { describe, expect, test } from "vitest";
import * as oldBindings from "../../gen/cdktf/index.js";
import * as bindings from "../../gen/cdktn/index.js";
import { repository } from "../support/source-files.ts";

/** One program for both libraries and for every test that reads what they write. */
const golden = join(repository, "test/fixtures/cdktf/cdk.tf.json");
const script = "const url = `${params.baseUrl}/${user}`; // 100%{ $${x}\n";

/** Both libraries have the same classes under the same names; the types of one are taken for both. */
type Library = Pick<typeof cdktf, "Testing" | "TerraformStack" | "TerraformVariable">;
type Bindings = Omit<typeof oldBindings, "prototype">;

interface Way {
  readonly library: Library;
  readonly made: Bindings;
}

const ways: readonly (readonly [string, Way])[] = [
  ["cdktf", { library: cdktf, made: oldBindings }],
  ["cdktn", { library: cdktn as unknown as Library, made: bindings as unknown as Bindings }],
];

const newStack = ({ library }: Way) => {
  const app = library.Testing.app({ context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } } });
  return new library.TerraformStack(app, "webshop");
};

const synthesized = ({ library }: Way, stack: cdktf.TerraformStack) => JSON.parse(library.Testing.synth(stack));

describe.each(ways)("programs with loadform/%s", (_, way) => {
  const { library, made } = way;

  test("synthesize all ten kinds as Terraform reads them", async () => {
    const stack = newStack(way);
    declareAll(way, stack);
    await expect(`${JSON.stringify(synthesized(way, stack), undefined, 2)}\n`).toMatchFileSnapshot(golden);
  });

  test("escape scripts, files, JSON and keys, set by the constructor or afterwards", () => {
    const stack = newStack(way);
    new made.provider.LoadformProvider(stack, "loadform");
    const browse = new made.scenario.Scenario(stack, "a", { testCaseId: "1", name: "${a}", script });
    browse.init = script;
    new made.dataStore.DataStore(stack, "b", { scenarioId: browse.id, name: "b.csv", contents: script });
    const { resource } = synthesized(way, stack);
    const escaped = made.literal(script);
    expect(escaped).not.toBe(script);
    expect(resource.loadform_scenario.a).toMatchObject({ script: escaped, init: escaped, name: "${a}" });
    expect(resource.loadform_data_store.b).toMatchObject({ contents: escaped });
  });

  test("leave references alone, and text with references in it to literal()", () => {
    const stack = newStack(way);
    new made.provider.LoadformProvider(stack, "loadform");
    const text = new library.TerraformVariable(stack, "text", { type: "string" });
    new made.scenario.Scenario(stack, "whole", { testCaseId: "1", name: "a", script: text.stringValue });
    const mixed = `${made.literal("`${a}` costs $")}${text.stringValue}${made.literal("`${b}`")}`;
    new made.scenario.Scenario(stack, "mixed", { testCaseId: "1", name: "b", script: mixed });
    const { resource } = synthesized(way, stack);
    expect(resource.loadform_scenario.whole.script).toBe("${var.text}");
    expect(resource.loadform_scenario.mixed.script).toBe('`$${a}` costs ${"$"}${var.text}`$${b}`');
  });

  test("take an id from a data source and the members of lists", () => {
    const stack = newStack(way);
    new made.provider.LoadformProvider(stack, "loadform");
    const regions = new made.dataLoadformRegions.DataLoadformRegions(stack, "all", {});
    new made.tag.Tag(stack, "first", { name: regions.regions.get(0).name });
    const { resource } = synthesized(way, stack);
    expect(resource.loadform_tag.first.name).toBe("${data.loadform_regions.all.regions[0].name}");
  });

  test("need the provider's own construct", () => {
    const stack = newStack(way);
    new made.tag.Tag(stack, "nightly", { name: "nightly" });
    expect(() => library.Testing.synth(stack, true)).toThrow(/loadform/);
  });
});

/** Every kind with most of its attributes, references among them. */
function declareAll({ made }: Way, stack: cdktf.TerraformStack): void {
  new made.provider.LoadformProvider(stack, "loadform", { url: "https://load.example.com/api", organization: "Shop" });
  const nightly = new made.tag.Tag(stack, "nightly", { name: "nightly" });
  const repository = { url: "https://git.example.com/load.git", vcsAuthType: "Username", username: "ci" };
  new made.vcsRoot.VcsRoot(stack, "scripts", {
    name: "Scripts",
    ...repository,
    passwordWo: "${word}",
    passwordWoVersion: 1,
  });
  const grid = new made.providerResource.ProviderResource(stack, "grid", { name: "Grid", providerType: "Shared" });
  new made.region.Region(stack, "dc1", { name: "dc-1", description: "Rack 4", providerId: grid.id });
  const checkout = new made.testCase.TestCase(stack, "checkout", { name: "Checkout" });
  new made.gateway.Gateway(stack, "shop", { name: "Shop", testCaseId: checkout.id, url: "https://shop.example.com" });
  const browse = new made.scenario.Scenario(stack, "browse", {
    testCaseId: checkout.id,
    name: "Browse",
    script,
    tags: [nightly.name],
    paramsConfig: [{ name: "baseUrl", required: true, defaultValue: "https://shop.example.com" }],
  });
  new made.dataStore.DataStore(stack, "users", { scenarioId: browse.id, name: "users.csv", contents: "name\nada\n" });
  const smoke = new made.configuration.Configuration(stack, "smoke", {
    testCaseId: checkout.id,
    scenarioId: browse.id,
    name: "Smoke",
    concurrentClients: 20,
    durationSecs: 60,
    providers: [{ providerId: grid.id, regions: ["dc-1"], weight: [1], params: { size: "large" } }],
    scriptParams: JSON.stringify({ baseUrl: "${x}" }),
    triggers: [
      {
        conditions: [{ metric: "firstReceivedMs", operator: "GTE", threshold: 800 }],
        actions: [{ actionType: "StopExecution" }],
      },
    ],
  });
  new made.schedule.Schedule(stack, "night", {
    configurationId: smoke.id,
    scheduleType: "Recurring",
    recurringInterval: "Day",
    hour: 2,
    exclusions: [{ recurringInterval: "Day", startHour: 22, endHour: 2 }],
  });
}
