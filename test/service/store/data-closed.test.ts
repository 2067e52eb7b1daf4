import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeRig, makeShop } from "../support/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "loadform-closed-"));
const data = join(folder, "service.json");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the data file of a closed service", () => {
  it("has nothing of a start that a close cut short, nor of what is asked afterwards", async () => {
    const rig = await makeShop({ data });
    await rig.ok("PUT", "/scripts/1", { main: "for (let at = 0; at < 1e10; at++);" });
    const started = rig.call("POST", "/test-confs/1/executions");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await rig.service.close();
    expect(await started).toMatchObject({ status: 503, body: { message: expect.stringContaining("was closed") } });
    const other = await makeRig({ data });
    expect((await rig.call("POST", "/test-cases", { name: "Late", org: 1 })).status).toBe(507);
    await expect(rig.service.restore(rig.service.snapshot())).rejects.toThrow("was closed");
    await rig.service.close();
    expect(readdirSync(folder)).toContain("service.json.lock");
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
    expect(await other.ok("GET", "/test-confs/1/executions")).toEqual([]);
    await other.close();
  });
});
