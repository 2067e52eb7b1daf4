import { describe, expect, it } from "vitest";
import { fieldsOf, makeShop, type Rig } from "../support/rig.ts";
import { startedShop } from "../support/started-shop.ts";

/** An answer without a key, as a browser asks for it. */
async function open(rig: Rig, method: "GET", path: string) {
  const answer = await rig.service.fetch(path, { method });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

async function completed(): Promise<Rig> {
  const rig = await startedShop();
  await rig.service.advance(3_600_000);
  return rig;
}

describe("GET /p/:name (API 1, Share link)", () => {
  it("shows the latest run to anyone who has the link", async () => {
    const rig = await completed();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    const { status, type, bytes } = await open(rig, "GET", `/p/${name}`);
    expect([status, type]).toEqual([200, "text/html; charset=utf-8"]);
    expect(bytes.toString()).toContain("Checkout: Smoke, run 1");
    await rig.ok("POST", "/test-confs/1/executions");
    expect((await open(rig, "GET", `/p/${name}`)).bytes.toString()).toContain("Checkout: Smoke, run 2");
  });

  it("shows one execution where the link is of it", async () => {
    const rig = await completed();
    const { name } = await rig.ok("POST", "/orgs/1/tokens", { executionId: 1 });
    await rig.ok("POST", "/test-confs/1/executions");
    expect((await open(rig, "GET", `/p/${name}`)).bytes.toString()).toContain("Checkout: Smoke, run 1");
  });

  it("is a page before the first run too", async () => {
    const rig = await makeShop();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    const { status, bytes } = await open(rig, "GET", `/p/${name}`);
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining("<!doctype html>")]);
  });

  it("of another name is 404, and opens nothing else", async () => {
    const rig = await completed();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    expect((await open(rig, "GET", `/p/${name}x`)).status).toBe(404);
    for (const path of ["/executions/1", "/test-confs/1", "/executions/1/results.pdf", "/p"])
      expect([path, (await open(rig, "GET", path)).status >= 400]).toEqual([path, true]);
  });

  it("is gone with its configuration, or its execution", async () => {
    const rig = await completed();
    const { name } = await rig.ok("POST", "/orgs/1/tokens", { executionId: 1 });
    await rig.ok("DELETE", "/executions/1");
    expect((await open(rig, "GET", `/p/${name}`)).status).toBe(404);
  });
});

describe("results.pdf (API 2, Executions)", () => {
  it("is a PDF, by its link without a key too, with the same bytes", async () => {
    const rig = await completed();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    const shared = await open(rig, "GET", `/p/${name}/results.pdf`);
    expect([shared.status, shared.type, shared.bytes.subarray(0, 5).toString()]).toEqual([
      200,
      "application/pdf",
      "%PDF-",
    ]);
    const own = await rig.service.fetch("/executions/1/results.pdf", { headers: { "x-api-key": "local" } });
    expect(Buffer.from(await own.arrayBuffer()).equals(shared.bytes)).toBe(true);
  });

  it("enc=base64 is the same as text", async () => {
    const rig = await completed();
    const get = (query: string) =>
      rig.service.fetch(`/executions/1/results.pdf${query}`, { headers: { "x-api-key": "local" } });
    const bytes = Buffer.from(await (await get("")).arrayBuffer());
    expect(Buffer.from(await (await get("?enc=base64")).text(), "base64").equals(bytes)).toBe(true);
  });

  it("is refused in a time zone or an encoding that does not exist", async () => {
    const rig = await completed();
    expect(fieldsOf(await rig.call("GET", "/executions/1/results.pdf?tz=Mars/Base&enc=hex"))).toEqual(["tz", "enc"]);
  });

  it("behind a link is 404 before the first run", async () => {
    const rig = await makeShop();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    expect((await open(rig, "GET", `/p/${name}/results.pdf`)).status).toBe(404);
  });
});
