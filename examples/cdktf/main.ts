import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import {
  configuration,
  dataLoadformProvider,
  dataStore,
  provider,
  scenario,
  schedule,
  tag,
  testCase,
} from "loadform/cdktf";

const text = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");

/** A load test of a web shop. `cdktf synth` in the folder above writes it as Terraform reads it. */
class Webshop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // The key is $LOADFORM_API_KEY, the service $LOADFORM_URL.
    new provider.LoadformProvider(this, "loadform");
    const grid = new dataLoadformProvider.DataLoadformProvider(this, "grid", { name: "Public Shared Grid" });
    const nightly = new tag.Tag(this, "nightly", { name: "nightly" });
    const checkout = new testCase.TestCase(this, "checkout", { name: "Checkout", description: "Buying path" });
    const browse = new scenario.Scenario(this, "browse", {
      testCaseId: checkout.id,
      name: "Browse and buy",
      // A script is passed on as it is: `${…}` in it means nothing to Terraform.
      script: text("scripts/browse.js"),
      tags: [nightly.name],
      paramsConfig: [{ name: "baseUrl", required: true }],
    });
    new dataStore.DataStore(this, "users", {
      scenarioId: browse.id,
      name: "users.csv",
      contents: text("data/users.csv"),
    });
    const smoke = new configuration.Configuration(this, "smoke", {
      testCaseId: checkout.id,
      scenarioId: browse.id,
      name: "Smoke",
      concurrentClients: 20,
      durationSecs: 60,
      providers: [{ providerId: grid.id, regions: ["cloud-us-east-1"] }],
      scriptParams: JSON.stringify({ baseUrl: "https://shop.example.com" }),
    });
    new schedule.Schedule(this, "night", {
      configurationId: smoke.id,
      scheduleType: "Recurring",
      recurringInterval: "Day",
      hour: 2,
      minute: 30,
    });
  }
}

const app = new App();
new Webshop(app, "webshop");
app.synth();
