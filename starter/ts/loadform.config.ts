import { App, Configuration, DataStore, file, Scenario, TestCase, variable } from "loadform";

const app = new App({
  project: "PROJECT",
  // The bundled service, kept in a file. A live one: its https URL here, its key in $LOADFORM_API_KEY.
  service: { url: "memory:.loadform/service.json" },
  variables: { users: { type: "number", default: 20, description: "users at the same time" } },
  // what loadform run asks of a run
  gates: { release: { configuration: "shop/smoke", kpis: ["Outcome[success] > 95%", "firstReceivedMs[p95] < 300ms"] } },
});

const shop = new TestCase(app, "shop", { name: "Shop", description: "Visitors who look around" });

const browse = new Scenario(shop, "browse", {
  script: file("scripts/browse.js"),
  paramsConfig: [{ name: "baseUrl", required: true }],
});
new DataStore(browse, "users.csv", { contents: file("data/users.csv") });

new Configuration(shop, "smoke", {
  scenario: browse,
  concurrentClients: variable("users"),
  durationSecs: 60,
  rampupSecs: 10,
  providers: [{ provider: { name: "Public Shared Grid" }, regions: ["cloud-us-east-1"] }],
  scriptParams: { baseUrl: "https://shop.example.com" },
});

export default app;
