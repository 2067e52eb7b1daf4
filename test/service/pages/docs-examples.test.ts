import { describe, expect, it } from "vitest";
import { mountedRoutes } from "../../../src/service/core/router.ts";
import { curlOf, exampleOf } from "../../../src/service/pages/docs-example.ts";
import { docsPage } from "../../../src/service/pages/docs-page.ts";
import { makeFullShop } from "../support/full-shop.ts";

const own = mountedRoutes().filter((each) => !each.alias);
const options = { base: "http://127.0.0.1:8080", authHeader: "X-Api-Key" };
/** What a service with one object of each kind cannot show: no grid of its own has agents, nothing was recorded or shared under that name. */
const absent = new Set([404, 409]);
/** What asks hosts that are not there. */
const outside = /^(?:GET|POST) \/(?:vcs-root\/|recordings\/:id\/load$)/;

describe("the docs page", () => {
  it("describes every route once, with its aliases and decisions", () => {
    const page = docsPage(own, options);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.match(/<h3><span class="method/g)).toHaveLength(own.length);
    for (const { route } of own)
      for (const alias of route.aliases ?? []) expect(page).toContain(`<code>${alias}</code>`);
    expect(page).toContain("a name that lives in another organization is 409");
  });

  it("carries its styles and its script", () => {
    const page = docsPage(own, options);
    for (const part of ["--accent:", ".method.post", "function narrow("]) expect(page).toContain(part);
  });

  it("links only to what it holds", () => {
    const page = docsPage(own, options);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.replace(/<script[\s\S]*/, "").matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });

  it("quotes for a shell", () => {
    const [route] = own.filter(({ key }) => key === "POST /test-cases");
    const example = { path: "/test-cases", body: { name: "it's" } };
    expect(curlOf(route!, example, options)).toContain(`-d '{"name":"it'\\''s"}'`);
  });

  const built = own.filter(({ route }) => !route.multipart);
  it("has an example for each built route that the service takes", async () => {
    const shop = await makeFullShop();
    const state = shop.service.snapshot();
    const refused: string[] = [];
    for (const each of built) {
      await shop.service.restore(state);
      const { path, body } = exampleOf(each);
      if (each.key === "PUT /_loadform/state") continue;
      const { status, body: answer } = await shop.call(each.method, path, body);
      if (status >= 300 && !absent.has(status) && !outside.test(each.key))
        refused.push(`${each.key}: ${status} ${JSON.stringify(answer)}`);
      await shop.call("DELETE", "/_loadform/faults");
      await shop.call("DELETE", "/_loadform/requests");
    }
    expect(refused).toEqual([]);
  });
});
