import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type HookSender, isGenuine, isSigned, projectsOfPush, readHook } from "../../../src/watch/status/hooks.ts";
import type { WatchedProject } from "../../../src/watch/watched-project.ts";
import { githubPush, gitlabPush, ignoredHooks } from "./sample-hooks.ts";
import { watched } from "./sample-projects.ts";

const secret = "hook-secret";
const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const signed = (sender: HookSender, payload: unknown, headers: Record<string, string> = {}) => {
  const event = sender === "github" ? { "x-github-event": "push" } : { "x-gitlab-event": "Push Hook" };
  return { sender, headers: { "content-type": "application/json", ...event, ...headers }, body: bytes(payload) };
};
const from = (name: string, url: string, branch = "main"): WatchedProject =>
  watched(name, {}, { source: { is: "git", url, branch, path: "" } }).project;

describe("a signature", () => {
  const body = bytes(githubPush());
  const right = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const genuine = (signature: string, over: Uint8Array = body) =>
    isGenuine({ sender: "github", headers: { "x-hub-signature-256": signature }, body: over }, secret);

  it("of GitHub is the one that its documents give as an example", () => {
    const headers = {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    };
    const hook = { sender: "github", headers, body: bytes("Hello, World!") } as const;
    expect(isGenuine(hook, "It's a Secret to Everybody")).toBe(true);
  });

  it("of GitHub is over the bytes as they came", () => {
    expect(genuine(right)).toBe(true);
    expect(genuine(right, bytes(JSON.stringify(githubPush(), undefined, 1)))).toBe(false);
    expect(genuine(right, Buffer.concat([body, bytes("\n")]))).toBe(false);
  });

  it.each(["", "sha256=", right.slice(0, -1), `${right}0`, right.replace("sha256", "sha1"), `${right}, ${right}`])(
    "of GitHub that is not right is refused: %s",
    (signature) => {
      expect(genuine(signature)).toBe(false);
    },
  );

  it("of GitHub shows in its head that there is none", () => {
    expect(isSigned("github", {}, secret)).toBe(false);
    expect(isSigned("github", { "x-hub-signature": "sha1=0" }, secret)).toBe(false);
    expect(isSigned("github", { "x-hub-signature-256": right }, secret)).toBe(true);
  });

  it.each([
    [secret, true],
    ["", false],
    ["hook-secre", false],
    ["hook-secret-", false],
    ["Hook-secret", false],
    ["x".repeat(10_000), false],
  ])("of GitLab is the secret itself: %s", (given, expected) => {
    expect(isSigned("gitlab", { "x-gitlab-token": given }, secret)).toBe(expected);
    expect(isGenuine({ sender: "gitlab", headers: { "x-gitlab-token": given }, body }, secret)).toBe(expected);
  });
});

describe("a push", () => {
  const github = { addresses: expect.arrayContaining(["https://github.com/octo/tests.git"]), branch: "main" };

  it("of GitHub is read, as JSON and as a form", () => {
    expect(readHook(signed("github", githubPush()))).toEqual({ push: github });
    const form = new URLSearchParams({ payload: JSON.stringify(githubPush()) }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(readHook(signed("github", form, headers))).toEqual({ push: github });
  });

  it("of GitLab is read, from a project and from the whole instance", () => {
    const push = { addresses: expect.arrayContaining(["git@gitlab.example.com:qa/tests.git"]), branch: "main" };
    expect(readHook(signed("gitlab", gitlabPush()))).toEqual({ push });
    const { object_kind: _, ...system } = gitlabPush();
    const headers = { "x-gitlab-event": "System Hook" };
    expect(readHook(signed("gitlab", { ...system, event_name: "push" }, headers))).toEqual({ push });
  });

  it("names a branch with slashes whole", () => {
    const hook = readHook(signed("github", githubPush({ ref: "refs/heads/feature/refs/heads/x" })));
    expect(hook).toMatchObject({ push: { branch: "feature/refs/heads/x" } });
  });

  it.each(ignoredHooks)("is what counts, not $name", ({ sender, event, payload, reason }) => {
    const header = sender === "github" ? "x-github-event" : "x-gitlab-event";
    expect(readHook(signed(sender, payload, { [header]: event }))).toEqual({ ignored: reason });
  });

  it.each([
    ["no JSON", "{", /no JSON object/],
    ["a list", [], /no JSON object/],
    ["a text", '"push"', /no JSON object/],
    ["no ref", { object_kind: "push" }, /no ref/],
    ["a ref that is a number", { object_kind: "push", ref: 1 }, /no ref/],
    ["no repository", { object_kind: "push", ref: "refs/heads/main" }, /names no repository/],
    [
      "addresses that are none",
      { object_kind: "push", ref: "refs/heads/main", project: { web_url: 1 } },
      /no repository/,
    ],
  ])("that is %s is unreadable, and not repeated", (_, payload, sentence) => {
    for (const sender of ["github", "gitlab"] as const)
      expect(readHook(signed(sender, payload))).toEqual({ unreadable: expect.stringMatching(sentence) });
  });
});

describe("the projects of a push", () => {
  it.each([
    "https://github.com/octo/tests.git",
    "https://x-access-token:abc@GitHub.com/octo/tests",
    "git@github.com:octo/tests.git",
    "ssh://git@github.com/octo/tests.git",
  ])("of GitHub are found by %s", (url) => {
    const push = { addresses: Object.values(githubPush().repository).filter((each) => each !== null), branch: "main" };
    expect(projectsOfPush(push as never, [from("a", url), from("b", "https://github.com/octo/other.git")])).toEqual([
      "a",
    ]);
  });

  it("of GitLab are found by an ssh address with a port, by scp's form and by https", () => {
    const hook = readHook(signed("gitlab", gitlabPush({ ssh: "ssh://git@gitlab.example.com:2222/qa/tests.git" })));
    const projects = [
      from("port", "ssh://git@gitlab.example.com:2222/qa/tests.git"),
      from("https", "https://gitlab.example.com/qa/tests"),
      from("scp", "git@gitlab.example.com:qa/tests.git"),
      from("elsewhere", "https://gitlab.example.com:8443/qa/tests"),
    ];
    expect("push" in hook && projectsOfPush(hook.push, projects)).toEqual(["port", "https", "scp"]);
  });

  it("are all those of the repository and branch, in any folder of it, and no folders of this machine", () => {
    const url = "https://github.com/octo/tests.git";
    const dir = watched("dir", {}, { source: { is: "dir", dir: "/srv/octo/tests" } }).project;
    const projects = [from("a", url), from("b", url), from("c", url, "release"), dir, from("none", "tests")];
    expect(projectsOfPush({ addresses: [url], branch: "main" }, projects)).toEqual(["a", "b"]);
    expect(projectsOfPush({ addresses: ["nothing"], branch: "main" }, projects)).toEqual([]);
  });
});
