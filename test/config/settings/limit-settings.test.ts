import { describe, expect, it } from "vitest";
import { readOutsideLimits } from "../../../src/config/settings/limit-settings.ts";
import { loadFiles } from "../../support/load-files.ts";

const whole = `limits:
  users: { atPeak: 5000, perRegion: 1000, breakingPoint: 2000 }
  userHours: { perRun: 500, perWeek: 4000.5 }
  hours: [{ deny: "Mon-Fri 08:00-18:00", timeZone: Europe/Berlin }]
  regions: { allow: ["cloud-eu-*"] }
  enforce: warn
`;

const told = (diagnostics: readonly { code: string; summary: string; line?: number; column?: number }[]) =>
  diagnostics.map(({ code, summary, line, column }) => `${line}:${column} ${code} ${summary}`);

describe("limits of a project", () => {
  it("are read as declared", async () => {
    const { limits, diagnostics } = await loadFiles(whole);
    expect(diagnostics).toEqual([]);
    expect(limits).toEqual({
      users: { atPeak: 5000, perRegion: 1000, breakingPoint: 2000 },
      userHours: { perRun: 500, perWeek: 4000.5 },
      hours: [{ deny: "Mon-Fri 08:00-18:00", timeZone: "Europe/Berlin" }],
      regions: { allow: ["cloud-eu-*"] },
      enforce: "warn",
    });
  });

  it("are none where nothing is declared, and without what null clears", async () => {
    expect((await loadFiles("")).limits).toBeUndefined();
    expect((await loadFiles("limits: { users: { atPeak: null, perRegion: 2 }, hours: null }")).limits).toEqual({
      users: { perRegion: 2 },
    });
  });

  it("are patched by an environment and take variables", async () => {
    const yaml = `variables: { most: { type: number, default: 7 } }
limits: { users: { atPeak: "\${var:most}", perRegion: 3 } }
environments: { load: { limits: { users: { perRegion: null, breakingPoint: 9 } } } }
`;
    const { limits, diagnostics } = await loadFiles(yaml, { environment: "load" });
    expect(diagnostics).toEqual([]);
    expect(limits).toEqual({ users: { atPeak: 7, breakingPoint: 9 } });
  });

  it("have all their problems told at once, each at its place", async () => {
    const { diagnostics } = await loadFiles(`project: shop
service: { url: "memory:" }
limits:
  user: { atPeak: 1 }
  users: { atpeak: 1, perRegion: many, breakingPoint: 0 }
  hours:
    - { deny: "Mon-Fri 8-18" }
    - { deny: "Mon 08:00-09:00", timeZone: Mars/Olympus }
    - { timeZone: UTC }
  enforce: never
`);
    expect(told(diagnostics)).toEqual([
      "4:3 LF1101 unknown key user",
      "5:12 LF1101 unknown key atpeak",
      "5:34 LF1102 perRegion has the wrong type",
      "5:55 LF1104 breakingPoint does not take this value",
      "7:15 LF1104 deny does not take this value",
      "8:44 LF1104 timeZone does not take this value",
      "9:7 LF1103 deny is missing",
      "10:12 LF1104 enforce does not take this value",
    ]);
    expect(diagnostics[0]?.detail).toContain("Did you mean users?");
    expect(diagnostics[1]?.detail).toContain("Did you mean atPeak?");
  });

  it("say where a replaced value is wrong", async () => {
    const yaml = `variables: { most: { default: many } }\nlimits: { users: { atPeak: "\${var:most}" } }\n`;
    expect(told((await loadFiles(yaml)).diagnostics)).toEqual(["4:28 LF1102 atPeak has the wrong type"]);
  });

  it("belong in the main file", async () => {
    const files = { "load/a.yaml": "limits: { users: { atPeak: 1 } }\n" };
    const { diagnostics } = await loadFiles("include: [load/*.yaml]\n", { files });
    expect(told(diagnostics)).toEqual(["1:1 LF1101 limits does not belong here"]);
  });
});

describe("limits from outside a project", () => {
  it("are the same keys", () => {
    const { limits, diagnostics } = readOutsideLimits(
      "users: { atPeak: 5 }\nregions: { allow: [eu] }\n",
      "limits.yaml",
    );
    expect(diagnostics).toEqual([]);
    expect(limits).toEqual({ users: { atPeak: 5 }, regions: { allow: ["eu"] } });
  });

  it.each([
    ["an unknown key", "user: { atPeak: 5 }", "1:1 LF1101 unknown key user"],
    ["enforce, which is the project's", "enforce: warn", "1:1 LF1101 unknown key enforce"],
    ["a wrong type", "users: { atPeak: five }", "1:18 LF1102 atPeak has the wrong type"],
    ["hours that cannot be read", "hours: [{ deny: always }]", "1:17 LF1104 deny does not take this value"],
    ["an expression", `users: { atPeak: "\${var:most}" }`, "1:18 LF1104 atPeak does not take this value"],
    ["a limit without a value", "users:\n  atPeak:\nhours: []\n", "2:3 LF1104 atPeak does not take this value"],
    ["an item without a value", "hours: [null]\n", "1:9 LF1102 hours[0] has the wrong type"],
    ["a list", "[]", "1:1 LF1102 limits has the wrong type"],
    ["nothing", "", "1:1 LF1102 limits has the wrong type"],
    ["no YAML", "users: {", "1:9 LF1003 a bracket is not closed"],
  ])("refuse %s at its place", (_, text, expected) => {
    const { diagnostics } = readOutsideLimits(text, "limits.yaml");
    expect(diagnostics.map(({ file }) => file)).toEqual(["limits.yaml"]);
    expect(told(diagnostics)).toEqual([expected]);
  });
});
