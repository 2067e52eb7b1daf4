import { describe, expect, it } from "vitest";
import { startService } from "../support/served-project.ts";
import { makeRepository, refsOfFixture } from "./support/git-fixture.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the service as it is shipped", () => {
  it("draws thumbnails, asks git and describes itself: what is loaded late is in the bundle", async () => {
    const repository = makeRepository();
    const { call, ready, stop } = await startService();
    await call("POST", "/test-cases", { name: "Checkout", org: 1 });
    await call("POST", "/test-cases/1/scripts", { name: "Browse", main: "go()" });
    for (const [name, contents] of [
      ["users.csv", "YQ=="],
      ["shot.png", pixel],
    ]) {
      const { body } = await call("POST", "/scripts/1/data-stores/contents", { name, contents });
      const response = await fetch(ready.url + (body as { thumbnailUrl: string }).thumbnailUrl);
      expect([response.status, response.headers.get("content-type")], name).toEqual([200, "image/png"]);
    }
    expect((await call("POST", "/vcs-root/refs", { url: repository.url() })).body).toEqual(refsOfFixture);
    expect((await call("GET", "/_loadform/openapi.json")).body).toMatchObject({ openapi: "3.1.0" });
    await stop("SIGTERM");
    repository.remove();
  });
});
