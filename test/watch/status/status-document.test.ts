import { describe, expect, it } from "vitest";
import { projectDocument, statusDocument } from "../../../src/watch/status/status-document.ts";
import { Watching } from "../watching.ts";
import { noon, watched } from "./sample-projects.ts";

describe("the status document", () => {
  it("has the members of the contract, in their order", () => {
    const now = watched("webshop", {
      ...{ state: "drifted", since: noon, reason: "2 fields", lastCheckAt: noon + 1000, nextCheckAt: noon + 121_000 },
      commit: { applied: "a1", wanted: "b2" },
    });
    expect(JSON.stringify(statusDocument([now]))).toBe(
      '{"projects":[{"name":"webshop","state":"drifted","since":"2026-11-24T12:00:00.000Z","reason":"2 fields","commit":{"applied":"a1","wanted":"b2"},"lastCheckAt":"2026-11-24T12:00:01.000Z","nextCheckAt":"2026-11-24T12:02:01.000Z"}]}',
    );
  });

  it("has null for what is not known yet, and no reason without one", () => {
    expect(statusDocument([watched("new")]).projects).toEqual([
      { name: "new", state: null, since: null, commit: null, lastCheckAt: null, nextCheckAt: null },
    ]);
    const [seen] = statusDocument([watched("seen", { commit: { wanted: "b2" } })]).projects;
    expect(seen?.commit).toEqual({ applied: null, wanted: "b2" });
  });

  it("keeps the order of the projects", () => {
    expect(statusDocument(["b", "a", "c"].map((name) => watched(name))).projects.map(({ name }) => name)).toEqual([
      "b",
      "a",
      "c",
    ]);
  });
});

describe("the document of a project", () => {
  const finding = { action: "update", driftedFields: 1, ends: false } as const;

  it("has both lists as the last check found them: what git has not applied and what drifted", () => {
    const watch = new Watching();
    watch.check([
      { ...finding, address: "testCase.a", origin: "git" },
      { ...finding, address: "testCase.b", origin: "drift" },
    ]);
    const document = projectDocument({ ...watched("webshop"), memory: watch.memory });
    expect(document.outOfSync.map(({ address }) => address)).toEqual(["testCase.a"]);
    expect(document.drifted.map(({ address }) => address)).toEqual(["testCase.b"]);
  });

  it("says how many more there are than it lists", () => {
    const findings = [{ ...finding, address: "testCase.a", origin: "git" }] as const;
    const document = projectDocument(watched("webshop", { findings, outOfSync: { count: 300 } }));
    expect([document.outOfSync.length, document.moreOutOfSync, document.moreDrifted]).toEqual([1, 299, undefined]);
  });

  it("names only the fights that are left alone", () => {
    const fights = {
      "testCase.a": { healedAt: [noon], lastDriftAt: noon },
      "testCase.b": { healedAt: [], lastDriftAt: noon, leftAloneSince: noon },
    };
    expect(projectDocument(watched("webshop", { fights })).fights).toEqual([
      { address: "testCase.b", leftAloneSince: "2026-11-24T12:00:00.000Z" },
    ]);
  });

  it("tells a suspension without end from none and from one until a moment", () => {
    expect(projectDocument(watched("a")).suspended).toBeNull();
    expect(projectDocument(watched("a", { suspendedUntil: null })).suspended).toEqual({ until: null });
    expect(projectDocument(watched("a", { suspendedUntil: noon })).suspended).toEqual({
      until: "2026-11-24T12:00:00.000Z",
    });
  });

  it("shows the repository without the login in its address", () => {
    const url = "https://bot:s3cret-token@git.example.com/qa/tests.git";
    const now = watched("a", {}, { source: { is: "git", url, branch: "main", path: "" } });
    expect(projectDocument(now).source).toMatchObject({ url: "https://git.example.com/qa/tests.git" });
    expect(JSON.stringify(projectDocument(now))).not.toContain("s3cret");
  });
});
