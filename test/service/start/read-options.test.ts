import { describe, expect, it } from "vitest";
import { PacketMemory } from "../../../src/service/core/packet-memory.ts";
import { ProbeMemory } from "../../../src/service/core/probe-memory.ts";
import { NextRuns, openScope } from "../../../src/service/core/scope.ts";
import { Simulations } from "../../../src/service/core/simulations.ts";
import { Turns } from "../../../src/service/core/turns.ts";
import { WantedLoads } from "../../../src/service/core/wanted-loads.ts";
import { ScriptThreads } from "../../../src/service/scripts/open-worker.ts";
import { settingsOf } from "../../../src/service/settings.ts";
import { readOptions } from "../../../src/service/start/read-options.ts";
import { readStartForm } from "../../../src/service/start/read-start-form.ts";
import { freshState } from "../../../src/service/store/fresh-state.ts";
import { Store } from "../../../src/service/store/store.ts";

const now = "2026-11-20T10:00:00.000Z";

/** The options of a form, in a fresh service whose organization has these settings. */
function optionsOf(fields: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>> = {}) {
  const store = new Store(freshState(now), { now: () => now, reuseIds: false });
  store.update("organization", 1, { settings });
  const rest = {
    settings: settingsOf({}),
    now: Date.parse(now),
    session: "s",
    digest: String,
    runs: new NextRuns(),
    simulations: new Simulations(),
    packets: new PacketMemory(),
    whyNoLoad: undefined,
    loads: new WantedLoads(() => undefined),
    permits: { scripts: true, live: false },
    turns: new Turns(1),
    threads: new ScriptThreads(),
    probes: new ProbeMemory(),
  };
  const scope = openScope({ store, ...rest });
  const texts = Object.entries(fields).map(([field, text]) => ({ field, text }));
  const options = readOptions(readStartForm({ texts, uploads: [] }, scope), 1, scope);
  scope.findings.check();
  return options;
}

describe("what a form says of the run", () => {
  it("has defaults", () => {
    expect(optionsOf({})).toEqual({
      testType: "Load",
      kpis: [],
      percentiles: [50, 95, 99],
      manualStart: false,
      maxDurationSecs: null,
      note: null,
      tags: [],
      onlyCaptureFailure: false,
    });
  });

  it("has the defaults of the organization", () => {
    const settings = { onlyCaptureFailure: "true" };
    expect(optionsOf({}, settings)).toMatchObject({ onlyCaptureFailure: true });
    expect(optionsOf({ only_capture_failure: "false" }, settings)).toMatchObject({ onlyCaptureFailure: false });
  });

  it.each([
    [{ test_type: "Monitor" }, { testType: "Monitor" }],
    [{ percentiles: "90, 99.9" }, { percentiles: [90, 99.9] }],
    [{ manual_start: "true" }, { manualStart: true }],
    [{ max_duration_mins: "1.5" }, { maxDurationSecs: 90 }],
    [{ note: "a note" }, { note: "a note" }],
    [{ results_tags: "a,b" }, { tags: ["a", "b"] }],
  ])("takes %j", (fields, expected) => {
    expect(optionsOf(fields as Readonly<Record<string, string>>)).toMatchObject(expected);
  });

  it("takes KPIs by index or key, in the order of the form", () => {
    const kpis = {
      "kpis[b].expr": "Outcome[success] > 95%",
      "kpis[0].expr": " count > 1 ",
      "kpis[b].break_on_fail": "true",
    };
    expect(optionsOf(kpis).kpis).toEqual([
      { expr: "Outcome[success] > 95%", breakOnFail: true },
      { expr: "count > 1", breakOnFail: false },
    ]);
  });

  it("checks devices, assertions and the origin of the source, and keeps nothing of them", () => {
    const checked = {
      platform: "win32",
      assertions_exclusion_pattern: "^a,b",
      "devices[0].device": '{"w":1}',
      source_repo_url: "git@x.test:a.git",
    };
    expect(optionsOf(checked)).toEqual(optionsOf({}));
    for (const wrong of [{ "devices[0].device": "{w" }, { source_repo_url: "nowhere" }, { platform: "amiga" }])
      expect(() => optionsOf(wrong as Readonly<Record<string, string>>)).toThrow();
  });
});
