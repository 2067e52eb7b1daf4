import { describe, expect, test } from "vitest";
import { loadFiles } from "../support/load-files.ts";

describe("service and state", () => {
  const at = (service: string, rest = "") => `project: shop\nservice: ${service}\n${rest}`;

  test.each([
    ["memory alone", at('{ url: "memory:" }'), {}, { live: false, state: { backend: "memory" } }],
    [
      "memory in a file",
      at('{ url: "memory:.loadform/service.json" }'),
      {},
      { live: false, state: { backend: "local", path: ".loadform/state.json" } },
    ],
    [
      "a live one",
      at('{ url: "https://load.example.com/api", organization: 1, auth: { query: key } }'),
      {},
      { live: true, service: { url: "https://load.example.com/api", organization: 1, auth: { query: "key" } } },
    ],
    [
      "$LOADFORM_URL wins",
      at('{ url: "memory:" }'),
      { env: { LOADFORM_URL: "http://127.0.0.1:8080" } },
      { live: true, service: { url: "http://127.0.0.1:8080" }, state: { backend: "local" } },
    ],
    [
      "$LOADFORM_URL alone",
      "project: shop\n",
      { env: { LOADFORM_URL: "memory:x" } },
      { live: false, service: { url: "memory:x" } },
    ],
    [
      "a header of its own",
      at('{ url: "memory:", auth: { header: Authorization } }'),
      {},
      { service: { auth: { header: "Authorization" } } },
    ],
    [
      "a declared path wins over memory",
      at('{ url: "memory:" }', "state: a.json\n"),
      {},
      { state: { backend: "local", path: "a.json" } },
    ],
    [
      "a local backend",
      at('{ url: "memory:" }', "state: { backend: local, path: a.json }\n"),
      {},
      { state: { backend: "local", path: "a.json" } },
    ],
    [
      "an http backend",
      at('{ url: "memory:" }', "state: { backend: http, address: https://a.example/s, username: u }\n"),
      {},
      { state: { backend: "http", address: "https://a.example/s", username: "u" } },
    ],
    [
      "a database",
      at('{ url: "memory:" }', 'state: { backend: postgres, url: "${env:DB}" }\n'),
      { env: { DB: "postgres://x" } },
      { state: { backend: "postgres", url: "postgres://x" } },
    ],
  ])("%s", async (_, yaml, options, expected) => {
    const project = await loadFiles(yaml, options);
    expect(project.diagnostics).toEqual([]);
    expect(project).toMatchObject(expected);
  });
});
