import { expect } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { CheckResult, Finding, Found, HealEnd } from "../../src/watch/check-result.ts";
import { decide, newMemory } from "../../src/watch/decide.ts";
import type { ProjectMemory } from "../../src/watch/project-memory.ts";
import type { WatchAction, WatchEvent } from "../../src/watch/watch-events.ts";
import type { WatchedProject } from "../../src/watch/watched-project.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** A Tuesday, in winter time. */
export const begin = Date.parse("2026-11-24T12:00:00Z");

export function watchedProject(more: Partial<WatchedProject> = {}): WatchedProject {
  return {
    name: "webshop",
    source: { is: "git", url: "https://git.example.com/tests.git", branch: "main", path: "load" },
    target: "https://load.example.com/api",
    prune: false,
    intervalSecs: 120,
    timeoutSecs: 600,
    allowPrograms: false,
    suspend: [],
    ...more,
  };
}

export function finding(address: string, origin: Finding["origin"], more: Partial<Finding> = {}): Finding {
  return { address, action: "update", origin, driftedFields: origin === "drift" ? 1 : 0, ends: false, ...more };
}

export function foundWith(findings: readonly Finding[], more: Partial<Found> = {}): Found {
  const difference = findings.map(({ address, origin }) => `${address} ${origin}`).join();
  return {
    ...{ documents: "docs-1", difference, objects: 10, findings, unrecorded: [], blocked: [], warnings: [] },
    ...{ plan: findings.length === 0 ? "No changes." : "Plan: …" },
    ...more,
  };
}

export function diagnostic(summary: string, severity: Diagnostic["severity"] = "error"): Diagnostic {
  return { severity, code: "LF4001", summary, detail: "" };
}

export function healEnd(status: HealEnd["status"], written: readonly string[] = [], summary?: string): HealEnd {
  return { status, written, diagnostics: summary === undefined ? [] : [diagnostic(summary)] };
}

export const broken = {
  is: "failed",
  diagnostics: [diagnostic("the service does not answer")],
  requests: 5,
} as const satisfies CheckResult;

/** How a check is to end after it was told what to heal; by default everything is healed, and nothing differs any more. */
type HealAs = (addresses: readonly string[]) => CheckResult;

/** One project as a watcher follows it: every event is decided with the memory of the last, as it was after a restart. */
export class Watching {
  now = begin;
  memory: ProjectMemory = newMemory();
  /** Everything that was told, as `on`. */
  readonly told: string[] = [];
  readonly texts: string[] = [];
  /** The moment of the next `due`. */
  until: number | undefined;
  commit = "c1";
  random = 0.5;
  readonly project: WatchedProject;

  constructor(more: Partial<WatchedProject> = {}) {
    this.project = watchedProject(more);
  }

  send(event: WatchEvent): readonly WatchAction[] {
    const before = JSON.stringify(this.memory);
    const known = { project: this.project, memory: this.memory };
    const { memory, actions } = decide(known, event, { now: this.now, random: () => this.random });
    expect(JSON.stringify(this.memory), "the memory before is not changed").toBe(before);
    expect(JSON.parse(JSON.stringify(memory)), "the memory is plain JSON").toStrictEqual(memory);
    this.memory = memory;
    for (const action of actions) {
      if (action.do === "wait") this.until = action.until;
      if (action.do !== "tell") continue;
      this.told.push(action.notification.on);
      this.texts.push(action.notification.text);
    }
    return actions;
  }

  due(): readonly string[] {
    return this.send({ is: "due", project: "webshop" }).map((action) => action.do);
  }

  asked(retry = false): readonly string[] {
    return this.send({ is: "asked", project: "webshop", retry }).map((action) => action.do);
  }

  /** Ends the check under way. */
  ended(result: CheckResult): readonly WatchAction[] {
    return this.send({ ...this.at(), is: "ended", project: "webshop", result, ms: 900 });
  }

  /** Answers a check under way that has compared. */
  compared(found: Found): readonly string[] {
    const [action] = this.send({ ...this.at(), is: "compared", project: "webshop", found });
    return action?.do === "heal" ? action.addresses : [];
  }

  /** A whole check, and the addresses that it was told to heal. */
  check(findings: readonly Finding[], more: Partial<Found> = {}, healAs?: HealAs): readonly string[] {
    if (this.memory.checking === undefined) expect(this.due()).toContain("check");
    const found = foundWith(findings, more);
    const addresses = this.compared(found);
    const left = findings.filter(({ address }) => !addresses.includes(address));
    const healed: CheckResult =
      addresses.length === 0
        ? { is: "checked", found, requests: 6 }
        : { is: "checked", requests: 6, found: foundWith(left, more), heal: healEnd("healed", addresses) };
    this.ended(addresses.length > 0 && healAs !== undefined ? healAs(addresses) : healed);
    return addresses;
  }

  /** Some time later. */
  after(ms: number): this {
    this.now += ms;
    return this;
  }

  private at(): { readonly commit?: string } {
    return this.project.source.is === "git" ? { commit: this.commit } : {};
  }
}
