import { describe, expect, it } from "vitest";
import { browse, makeShop } from "../support/rig.ts";

const header = "x-loadform-engine";

describe("X-Loadform-Engine of an answer (API 2, Executions)", () => {
  it("says who carries out the run that the answer is about, in the request log too", async () => {
    const rig = await makeShop();
    const started = await rig.call("POST", "/test-confs/1/executions", undefined, { [header]: "script" });
    expect(started.headers[header]).toBe("script");
    const form = new FormData();
    const texts = {
      testcase_name: "Checkout",
      scenario_name: "Browse",
      conf_name: "Smoke",
      iterations: "1",
      concurrent_users: "1",
    };
    for (const [name, value] of Object.entries(texts)) form.append(name, value);
    form.append("code", new Blob([browse]), "main.js");
    const answer = await rig.service.fetch("/start", { method: "POST", body: form, headers: { "x-api-key": "local" } });
    expect([answer.status, answer.headers.get(header)]).toEqual([200, "model"]);
    await rig.service.advance(200_000);
    for (const path of [
      "",
      "/summary",
      "/intervals",
      "/results",
      "/results.csv",
      "/logs.txt",
      "/traces",
      "/traces.zip",
    ]) {
      expect((await rig.call("GET", `/executions/1${path}`)).headers[header], path).toBe("script");
      expect((await rig.call("GET", `/executions/2${path}`)).headers[header], path).toBe("model");
    }
    expect((await rig.call("HEAD", "/executions/1")).headers[header]).toBe("script");
    expect((await rig.call("GET", "/execution-traces/1000001")).headers[header]).toBe("script");
    expect((await rig.call("POST", "/scripts/1/run")).headers[header]).toBe("script");
    expect((await rig.call("DELETE", "/executions/2")).headers[header]).toBe("model");
    const log = await rig.ok("GET", "/_loadform/requests?method=DELETE");
    expect(log).toMatchObject([{ path: "/executions/2", engine: "model" }]);
  });

  it("is script where the probe iteration of a modelled run is really sent", async () => {
    const rig = await makeShop({ settings: { network: "loopback" } });
    const started = await rig.call("POST", "/test-confs/1/executions");
    expect(started.headers[header]).toBe("script");
    expect((await rig.call("GET", "/executions/1")).headers[header]).toBe("script");
    await rig.ok("PUT", "/scripts/1", { scriptType: "Postman" });
    expect((await rig.call("POST", "/test-confs/1/executions")).headers[header]).toBe("model");
  });

  it("is absent from refusals and from answers about no run", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    const calls = [
      rig.call("GET", "/test-confs/1"),
      rig.call("GET", "/executions/9"),
      rig.call("GET", "/test-confs/1/executions"),
    ];
    for (const { headers } of await Promise.all(calls)) expect(headers[header]).toBeUndefined();
  });

  it("is described, as is that of starting calls", async () => {
    const rig = await makeShop();
    const { paths } = await rig.ok("GET", "/_loadform/openapi.json");
    const schema = { type: "string", enum: ["model", "script", "live"] };
    expect(paths["/executions/{id}"].get.responses["200"].headers["X-Loadform-Engine"].schema).toEqual(schema);
    expect(paths["/test-confs/{confId}"].get.responses["200"].headers).toBeUndefined();
    const named = paths["/start"].post.parameters.find((each: { in: string }) => each.in === "header");
    expect(named).toMatchObject({ name: "X-Loadform-Engine", required: false, schema });
  });
});
