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

  test("warns that an address from the environment is shown", async () => {
    const service = at('{ url: "memory:${env:PLACE}.json" }');
    const { diagnostics } = await loadFiles(service, { env: { PLACE: "Sup3rS3cret" } });
    expect(diagnostics).toMatchObject([
      {
        ...{ severity: "warning", code: "LF1203", line: 2 },
        summary: "service.url is shown, although it is from the environment",
        detail: expect.stringContaining("Take it from a variable: ${var:NAME} with $LOADFORM_VAR_NAME"),
      },
    ]);
  });

  test("replaces variables in the project's name, and warns of one from the environment", async () => {
    const named = (name: string) =>
      `project: "${name}"\nservice: { url: "memory:" }\nvariables:\n  n: { default: 7 }\n`;
    expect(await loadFiles(named("${var:n}"))).toMatchObject({ name: "7", diagnostics: [] });
    expect(await loadFiles(named("shop-${var:environment}"))).toMatchObject({ name: "shop-", diagnostics: [] });
    const empty = `${named("${var:e}")}  e: { default: "" }\n`;
    for (const without of [empty, 'project:\nservice: { url: "memory:" }\n'])
      expect((await loadFiles(without)).diagnostics).toMatchObject([{ code: "LF1103", summary: "project is missing" }]);
    const { name, diagnostics } = await loadFiles(named("${env:WORD}"), { env: { WORD: "webshop" } });
    expect([name, diagnostics]).toMatchObject(["webshop", [{ severity: "warning", code: "LF1203", line: 1 }]]);
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

describe("service.apiKey", () => {
  const at = (apiKey: string) =>
    `project: shop\nservice:\n  url: https://load.example.com\n  apiKey: ${apiKey}\nvariables: { key: { default: a } }\n`;

  test("names the variable with the key, which offline checks do not need", async () => {
    const project = await loadFiles(at('"${env:SHOP_KEY}"'));
    expect(project.diagnostics).toEqual([]);
    expect(project.service.apiKey).toBe("${env:SHOP_KEY}");
    expect((await loadFiles(at('"${env:SHOP_KEY}"'), { env: { SHOP_KEY: "hunter22" } })).secrets).toEqual(["hunter22"]);
  });

  test.each([
    "hunter22",
    "12345678",
    '"Bearer ${env:SHOP_KEY}"',
    '"${env:SHOP_KEY}${env:SHOP_KEY}"',
    '"$${env:SHOP_KEY}"',
    '"${var:key}"',
    '"${file:key.txt}"',
    '"${env:}"',
    "[hunter22]",
  ])("takes nothing but one whole ${env:NAME}, and shows no value: %s", async (written) => {
    const { diagnostics } = await loadFiles(at(written), { env: { SHOP_KEY: "secret-of-env" } });
    expect(diagnostics).toEqual([
      {
        severity: "error",
        code: "LF1203",
        summary: "apiKey is a secret",
        detail: expect.stringContaining("Its value (not shown) is not one whole ${env:NAME}. Write that instead"),
        file: "loadform.yaml",
        line: 4,
        column: written.startsWith("[") ? 3 : 11,
      },
    ]);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter22|12345678|secret-of-env/);
  });

  test("is an environment's own", async () => {
    const yaml = `${at('"${env:SHOP_KEY}"')}environments: { prod: { service: { apiKey: "\${env:PROD_KEY}" } } }\n`;
    expect((await loadFiles(yaml, { environment: "prod" })).service.apiKey).toBe("${env:PROD_KEY}");
  });
});

describe("service.targets", () => {
  const at = (targets: string, url = "memory:service.json") =>
    `project: shop\nvariables: { slow: { type: number, default: 900 } }\nservice:\n  url: ${url}\n  targets:\n    - ${targets}\n`;

  test("are what the bundled service simulates, with what they leave out left to it", async () => {
    const full =
      "{ match: GET https://a.example/*, latencyMs: { p50: 1.5, p99: 4 }, errorRate: 0.5, capacity: { users: 2, slope: 3 } }";
    const { service, diagnostics } = await loadFiles(
      at(
        `${full}\n    - { match: "*", capacity: null, errorRate: "\${env:RATE}", latencyMs: { p50: "\${var:slow}", p99: 1000 } }`,
      ),
      { env: { RATE: "0.25" } },
    );
    expect(diagnostics).toEqual([]);
    expect(service.targets).toEqual([
      {
        match: "GET https://a.example/*",
        latencyMs: { p50: 1.5, p99: 4 },
        errorRate: 0.5,
        capacity: { users: 2, slope: 3 },
      },
      { match: "*", errorRate: 0.25, latencyMs: { p50: 900, p99: 1000 } },
    ]);
  });

  test.each<[string, string, object]>([
    ["no match", "{ errorRate: 1 }", { code: "LF1103", summary: "match is missing" }],
    ["another key", '{ match: "*", errors: 1 }', { code: "LF1101", line: 6, column: 21 }],
    ["a share above 1", '{ match: "*", errorRate: 2 }', { code: "LF1104", line: 6, column: 32 }],
    ["half a latency", '{ match: "*", latencyMs: { p50: 1 } }', { code: "LF1103", summary: "p99 is missing" }],
    ["text for a number", '{ match: "*", errorRate: much }', { code: "LF1102", line: 6, column: 32 }],
    ["text from a variable", '{ match: "*", errorRate: "${env:RATE}" }', { code: "LF1102", line: 6, column: 32 }],
  ])("are refused where they are wrong: %s", async (_, target, expected) => {
    const { diagnostics } = await loadFiles(at(target), { env: { RATE: "much" } });
    expect(diagnostics).toMatchObject([{ severity: "error", file: "loadform.yaml", ...expected }]);
  });

  test("mean nothing to another service: an error where the files name it", async () => {
    const yaml = at('{ match: "*" }', "https://load.example.com");
    const wrong = { severity: "error", code: "LF1309", summary: "targets has no effect at this service" };
    expect((await loadFiles(yaml)).diagnostics).toMatchObject([{ ...wrong, line: 5, column: 3 }]);
    const patched = `${at('{ match: "*" }')}environments: { prod: { service: { url: "https://a.example" } } }\n`;
    expect((await loadFiles(patched, { environment: "prod" })).diagnostics).toMatchObject([wrong]);
    const cleared = patched.replace('a.example" }', 'a.example", targets: null }');
    expect((await loadFiles(cleared, { environment: "prod" })).diagnostics).toEqual([]);
  });

  test.each([
    ["http://127.0.0.1:8080", undefined],
    ["memory:other.json", [{ match: "*" }]],
  ])("are silently left aside where $LOADFORM_URL is a live service: %s", async (url, expected) => {
    const project = await loadFiles(at('{ match: "*" }'), { env: { LOADFORM_URL: url } });
    expect(project.diagnostics).toEqual([]);
    expect(project.service.targets).toEqual(expected);
  });
});
