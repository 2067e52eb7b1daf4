import { describe, expect, test } from "vitest";
import { readWatchConfig } from "../../../src/config/watch/read-watch-config.ts";

const env = {
  SHOP_KEY: "shop-key-1",
  HOOK: "https://hooks.example.com/T1",
  TOKEN: "token-1",
  SECRET: "sec-1",
  DB: "postgres://q",
  EMPTY: "",
};
const defaults = { prune: false, intervalSecs: 120 } as const;
const read = (text: string) => readWatchConfig({ text, file: "/srv/watch/watch.yaml" }, { env, defaults });
const problems = (text: string) =>
  read(text).diagnostics.map(({ code, line, column, summary }) => `${line}:${column} ${code} ${summary}`);

/** The example of the documents. */
const whole = `
projects:
  - name: webshop
    git: { url: "https://git.example.com/tests.git", branch: main, path: load }
    environment: production
    target: https://load.example.com/api
    heal: git
    prune: false
    interval: 120
    pass: { LOADFORM_API_KEY: "\${env:SHOP_KEY}" }
    suspend: [{ during: "Mon-Fri 08:00-18:00", timeZone: Europe/Berlin }]
  - { name: search, dir: ../search }
notify: [{ webhook: "\${env:HOOK}", on: [drifted, blocked, failed, healed, recovered] }]
listen: { address: 127.0.0.1:8090, token: "\${env:TOKEN}", hooks: { secret: "\${env:SECRET}" } }
`;

describe("watch.yaml", () => {
  test("is read with defaults and values of the environment", () => {
    const { config, diagnostics } = read(whole);
    expect(diagnostics).toEqual([]);
    expect(config?.projects.map(({ project }) => project)).toEqual([
      {
        name: "webshop",
        source: { is: "git", url: "https://git.example.com/tests.git", branch: "main", path: "load" },
        environment: "production",
        target: "https://load.example.com/api",
        heal: "git",
        ...{ prune: false, intervalSecs: 120, timeoutSecs: 600, allowPrograms: false },
        suspend: [{ during: "Mon-Fri 08:00-18:00", timeZone: "Europe/Berlin" }],
      },
      {
        name: "search",
        source: { is: "dir", dir: "/srv/search" },
        ...{ prune: false, intervalSecs: 120, timeoutSecs: 600, allowPrograms: true, suspend: [] },
      },
    ]);
    expect(config?.projects.map(({ variables }) => variables)).toEqual([
      { is: "pass", pass: { LOADFORM_API_KEY: "shop-key-1" } },
      { is: "pass", pass: {} },
    ]);
    expect(config).toMatchObject({
      notify: [{ webhook: "https://hooks.example.com/T1" }],
      listen: { address: "127.0.0.1:8090", token: "token-1", hookSecret: "sec-1" },
      secretNames: ["TOKEN", "SECRET", "HOOK"],
      passedNames: ["SHOP_KEY"],
    });
  });

  test.each([
    ["a misspelt key", "projects:\n  - { name: a, dir: x, intervall: 5 }", ["2:24 LF1101 unknown key intervall"]],
    [
      "git without target",
      "projects:\n  - name: a\n    git: { url: x.git, branch: main }",
      ["2:5 LF1103 target is missing"],
    ],
    ["neither git nor dir", "projects:\n  - name: a", ["2:5 LF1103 a is nowhere"]],
    [
      "two of one name",
      "projects: [{ name: a, dir: x }, { name: a, dir: y }]",
      ["1:41 LF1005 there are two projects a"],
    ],
    [
      "variables that are passed",
      'projects: [{ name: a, dir: x, pass: { LOADFORM_API_KEY: s3cret, "A=B": x } }]',
      ["1:57 LF1203 LOADFORM_API_KEY is a secret", "1:72 LF1104 A=B is not the name of a variable"],
    ],
    ["an empty name", "projects: [{ name: ' ', dir: x }]", ["1:20 LF1104 name is empty"]],
    [
      "one folder twice",
      "projects: [{ name: a, dir: x }, { name: b, dir: /srv/watch/x/, environment: '' }, { name: c, dir: x, environment: staging }, { name: d, dir: x, pass: { LOADFORM_ENV: staging } }]",
      ["1:33 LF1005 b is the same project as a"],
    ],
    [
      "one folder of a repository twice",
      `projects:
  - { name: a, target: "https://a", git: { url: x.git, branch: main } }
  - { name: b, target: "https://a", git: { url: x.git, branch: main, path: . } }
  - { name: c, target: "https://a", git: { url: x.git, branch: next } }`,
      ["3:5 LF1005 b is the same project as a"],
    ],
    [
      "webhooks that are none",
      `projects: [{ name: a, dir: x }]
notify: [{ webhook: "\${env:TOKEN}" }, { webhook: "ftp://x" }, { webhook: "https://" }, { webhook: "http://h" }]`,
      [
        "2:21 LF1104 webhook is not a web address",
        "2:50 LF1104 webhook is not a web address",
        "2:74 LF1104 webhook is not a web address",
      ],
    ],
    [
      "an unknown zone",
      'projects: [{ name: a, dir: x, suspend: [{ during: "Mon 08:00-09:00", timeZone: Mars }] }]',
      ["1:80 LF1104 timeZone does not take this value"],
    ],
    [
      "credentials in an address",
      "projects: [{ name: a, target: http://x, git: { url: https://u:p@x/r, branch: main } }]",
      ["1:53 LF1203 the address of the repository has credentials"],
    ],
    [
      "an option for an address",
      'projects: [{ name: a, target: http://x, git: { url: "--upload-pack=x", branch: main } }]',
      ["1:53 LF1104 git.url is not the address of a repository"],
    ],
    [
      "a path out of the repository",
      "projects: [{ name: a, target: http://x, git: { url: r, branch: main, path: ../x } }]",
      ["1:76 LF1104 git.path leaves the repository"],
    ],
    [
      "a secret written out",
      "projects: [{ name: a, dir: x }]\nqueue: postgres://u:p@h/d",
      ["2:8 LF1203 queue is a secret"],
    ],
    [
      "a folder with a queue",
      'projects: [{ name: a, dir: x }]\nqueue: "${env:DB}"',
      ["1:28 LF1104 a folder cannot be shared"],
    ],
    [
      "an unset variable",
      'projects: [{ name: a, dir: x, pass: { K: "${env:EMPTY}" } }]',
      ["1:42 LF1303 $EMPTY is not set"],
    ],
    [
      "an expression where nothing is replaced",
      'projects: [{ name: a, dir: "${env:DB}" }]',
      ["1:28 LF1104 ${env:DB} is not replaced here"],
    ],
    [
      "all problems at once",
      "projects:\n  - { name: a, heal: dift }\n  - { dir: x }",
      ["2:22 LF1104 heal does not take this value", "3:5 LF1103 name is missing"],
    ],
  ])("refuses %s with its place", (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test("shows no value of a variable in a problem", () => {
    expect(
      JSON.stringify(read('projects: [{ name: "${env:SHOP_KEY}", dir: x }]\nqueue: "${env:SHOP_KEY}x"').diagnostics),
    ).not.toContain("shop-key-1");
  });
});
