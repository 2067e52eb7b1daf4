// engine: answers come over HTTP
import { describe, expect, it } from "vitest";
import { makeShop } from "../support/rig.ts";

describe("an answer's ETag", () => {
  it("is that of its bytes, and an answer that still has it is not sent again", async () => {
    const rig = await makeShop();
    const { url } = await rig.service.listen(0);
    const get = (condition?: string) =>
      fetch(`${url}/test-cases`, {
        headers: { "x-api-key": "local", ...(condition !== undefined && { "if-none-match": condition }) },
      });
    const whole = await get();
    const tag = whole.headers.get("etag") ?? "";
    expect(await whole.json()).toMatchObject([{ id: 1 }]);
    for (const condition of [tag, `"other", W/${tag}`, "*"]) {
      const answer = await get(condition);
      expect([answer.status, await answer.text(), answer.headers.get("etag")]).toEqual([304, "", tag]);
    }
    expect((await get('"other"')).status).toBe(200);
    await rig.ok("PUT", "/test-cases/1", { name: "Renamed" });
    const changed = await get(tag);
    expect([changed.status, changed.headers.get("etag") === tag]).toEqual([200, false]);
    await rig.close();
  });
});
