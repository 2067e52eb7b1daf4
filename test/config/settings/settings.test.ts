import { describe, expect, test } from "vitest";
import { loadFiles } from "../../support/load-files.ts";

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
      "a branch, which needs nothing more",
      at('{ url: "memory:" }', "state: { backend: git }\n"),
      {},
      { state: { backend: "git" } },
    ],
    [
      "a branch of another repository",
      at(
        '{ url: "memory:" }',
        'state: { backend: git, remote: "https://x:${env:TOKEN}@a.example/s.git", branch: s, path: a/b.json }\n',
      ),
      { env: { TOKEN: "t" } },
      { state: { backend: "git", remote: "https://x:t@a.example/s.git", branch: "s", path: "a/b.json" } },
    ],
    [
      "a bucket",
      at('{ url: "memory:" }', "state: { backend: s3, bucket: states, key: a/b.json, region: eu-central-1 }\n"),
      {},
      { state: { backend: "s3", bucket: "states", key: "a/b.json", region: "eu-central-1" } },
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

  test.each(["${env:OTHER}", "$$", "$&", "$1", "${", "$${x}"])(
    "a variable of the state's place stays what it is when it is kept for later: %s",
    async (given) => {
      const yaml = at(
        '{ url: "memory:" }',
        "variables: { name: {} }\n" +
          'state: { backend: http, address: "https://a.example/${var:name}", username: "${env:TOKEN}" }\n',
      );
      const load = (text: string, vars: Readonly<Record<string, string>>) =>
        loadFiles(text, { vars, env: { TOKEN: "t", OTHER: "wrong" } });
      const { state, diagnostics } = await load(yaml, { name: given });
      expect(diagnostics).toEqual([]);
      expect(state).toMatchObject({ address: `https://a.example/${given}` });
      const { source } = state as unknown as {
        readonly source: { readonly address: string; readonly username: string };
      };
      expect(source.username).toBe("${env:TOKEN}");
      const later = await load(at('{ url: "memory:" }', `state: ${JSON.stringify(source)}\n`), {});
      expect(later.state).toMatchObject({ address: `https://a.example/${given}`, username: "t" });
    },
  );
});
