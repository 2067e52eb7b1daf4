import type { CheckResult, Finding, Found, HealEnd } from "../../src/watch/check-result.ts";
import type { Heal, WatchedProject } from "../../src/watch/watched-project.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Weekdays 08:00 to 18:00, the only hours of the world. */
const officeHours = "Mon-Fri 08:00-18:00";

/** Some weeks before the clocks of Europe change. */
export const begin = Date.parse("2026-09-15T09:00:00Z");

/** Chance by a seed, in [0, 1). */
export type Chance = () => number;

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A time that follows another by chance, on average after so long. */
export function laterBy(chance: Chance, now: number, meanMs: number): number {
  return now - Math.log(1 - chance()) * meanMs;
}

interface Run {
  readonly address: string;
  readonly from: number;
  readonly to: number;
}

/**
 * One project of a simulated world: versions of its objects as git declares them, as they were applied and as they are live, and
 * what is in the way of a check or of a healing. It answers checks as a process would, without knowing how they are decided.
 */
export class WatchWorld {
  readonly declared = new Map<string, number>();
  readonly applied = new Map<string, number>();
  readonly live = new Map<string, number>();
  /** Objects that the service refuses until git changes them. */
  readonly refused = new Set<string>();
  /** Since when an object has been as it is declared, or changed in git, or been edited. */
  readonly changedAt = new Map<string, number>();
  commit = 1;
  outageUntil = 0;
  guardUntil = 0;
  lockUntil = 0;
  /** Somebody whose program sets this object back. */
  fighter: { readonly address: string; readonly until: number } | undefined;
  /** The last run and the next one. */
  runs: readonly Run[] = [];
  /** The last moment at which anything was in the way. */
  hinderedAt = 0;
  private version = 0;
  readonly project: WatchedProject;
  private readonly chance: Chance;

  constructor(project: WatchedProject, chance: Chance) {
    this.project = project;
    this.chance = chance;
    for (let index = 0; index < 12; index++) this.declared.set(`testCase.t${index}`, ++this.version);
  }

  /** Git changes an object, adds one, deletes one, or takes a change back. */
  push(now: number): void {
    this.commit++;
    for (let count = 0; count <= this.chance() * 3; count++) {
      const address = this.anyAddress();
      const kind = this.chance();
      this.refused.delete(address);
      if (kind < 0.15 && this.declared.size > 4) this.declared.delete(address);
      else if (kind < 0.2 && this.live.has(address)) this.declared.set(address, this.live.get(address) ?? 0);
      else this.declared.set(address, ++this.version);
      if (this.chance() < 0.08) this.refused.add(address);
      this.changedAt.set(address, now);
    }
    this.hinder(now);
  }

  /** Somebody changes, deletes or restores an object outside. */
  edit(now: number, address = this.anyAddress()): void {
    if (!this.live.has(address)) return;
    const kind = this.chance();
    if (kind < 0.2) this.live.delete(address);
    else if (kind < 0.4 && this.applied.has(address)) this.live.set(address, this.applied.get(address) ?? 0);
    else this.live.set(address, ++this.version);
    this.changedAt.set(address, now);
  }

  /** A run that a schedule starts within the next hour. */
  addRun(now: number): void {
    const from = now + this.chance() * hourMs;
    const run = { address: this.anyAddress(), from, to: laterBy(this.chance, from, hourMs) };
    this.runs = [...this.runs.filter(({ to }) => to > now), run];
    if (this.chance() < 0.5) this.edit(now, run.address);
    this.hinder(run.to);
  }

  beginFight(now: number): void {
    this.fighter = { address: this.anyAddress(), until: laterBy(this.chance, now, 9 * hourMs) };
    this.fightBack(now);
  }

  /** Sets the object of a fight back once it is as declared; at the end somebody may see to it. */
  fightBack(now: number): void {
    if (this.fighter === undefined) return;
    const { address, until } = this.fighter;
    const [declared, live] = [this.declared.get(address), this.live.get(address)];
    if (now < until && declared === live) this.edit(now, address);
    if (now < until) return;
    this.fighter = undefined;
    if (declared === undefined || live === undefined || this.chance() < 0.3) return;
    this.live.set(address, declared);
    this.changedAt.set(address, now);
  }

  hinder(until: number): void {
    this.hinderedAt = Math.max(this.hinderedAt, until);
  }

  /** True for an object that cannot be changed in place. */
  isFixed(address: string): boolean {
    return address.endsWith("7");
  }

  findings(now: number): readonly Finding[] {
    const addresses = new Set([...this.declared.keys(), ...this.applied.keys()]);
    return [...addresses].flatMap((address) => {
      const found = this.finding(address);
      if (found === undefined) return [];
      const busy = this.busy(address, now);
      return [busy === undefined ? found : { ...found, busy }];
    });
  }

  private finding(address: string): Finding | undefined {
    const [declared, applied, live] = [this.declared, this.applied, this.live].map((each) => each.get(address));
    if (declared === live) return undefined;
    if (declared === undefined) return { address, action: "delete", origin: "git", driftedFields: 0, ends: true };
    const isOutside = declared === applied;
    const origin = isOutside ? "drift" : "git";
    const driftedFields = isOutside ? 1 : 0;
    if (live === undefined)
      return { address, action: "create", origin: applied === undefined ? "git" : "drift", driftedFields, ends: false };
    const isFixed = this.isFixed(address);
    return { address, action: isFixed ? "replace" : "update", origin, driftedFields, ends: isFixed };
  }

  busy(address: string, now: number): Finding["busy"] {
    const run = this.runs.find((each) => each.address === address && each.from - 5 * minuteMs <= now && now < each.to);
    return run === undefined ? undefined : run.from <= now ? "running" : "starting";
  }

  /** The digest of what differs. */
  difference(): string {
    return [...new Set([...this.declared.keys(), ...this.applied.keys()])]
      .filter((address) => this.finding(address) !== undefined)
      .map((address) => `${address}@${this.declared.get(address)}/${this.live.get(address)}`)
      .join();
  }

  found(now: number): Found {
    const held = { severity: "error", code: "LF4001", summary: "a guard holds", detail: "" } as const;
    const findings = this.findings(now);
    return {
      ...{ documents: `documents of ${this.commit}`, difference: this.difference(), objects: this.declared.size },
      ...{ findings, unrecorded: [], blocked: now < this.guardUntil ? [held] : [], warnings: [] },
      ...{ plan: findings.map(({ address }) => address).join("\n"), requests: 6 },
    };
  }

  /** Writes these objects, as far as the service and the lock allow it. */
  heal(addresses: readonly string[], now: number): HealEnd {
    const error = (summary: string) => [{ severity: "error", code: "LF4001", summary, detail: "" } as const];
    if (now < this.lockUntil) return { status: "locked", written: [], diagnostics: error("locked by somebody") };
    if (now < this.outageUntil) return { status: "failed", written: [], diagnostics: error("no answer") };
    const written = addresses.filter((address) => !this.refused.has(address));
    for (const address of written) this.write(address, now);
    if (written.length === addresses.length) return { status: "healed", written, diagnostics: [] };
    return { status: written.length > 0 ? "partial" : "failed", written, diagnostics: error("refused a value") };
  }

  private write(address: string, now: number): void {
    const version = this.declared.get(address);
    for (const each of [this.live, this.applied])
      if (version === undefined) each.delete(address);
      else each.set(address, version);
    this.changedAt.set(address, now);
  }

  /** The end of a check that compares at this moment. */
  look(now: number): CheckResult {
    const [summary, detail] = ["no answer", ""];
    if (now < this.outageUntil)
      return { is: "failed", diagnostics: [{ severity: "error", code: "LF4001", summary, detail }] };
    this.noticeGone();
    return { is: "checked", found: this.found(now) };
  }

  /** Objects that are declared and live no more are forgotten, equal ones are applied. */
  private noticeGone(): void {
    for (const address of this.applied.keys())
      if (!this.declared.has(address) && !this.live.has(address)) this.applied.delete(address);
    for (const [address, version] of this.declared)
      if (this.live.get(address) === version) this.applied.set(address, version);
  }

  private anyAddress(): string {
    return `testCase.t${Math.floor(this.chance() * 18)}`;
  }
}

/** A project by chance, as the watcher is told of it. */
export function anyProject(chance: Chance): WatchedProject {
  const oneOf = <T>(...all: readonly T[]) => all[Math.floor(chance() * all.length)] as T;
  const heal = oneOf<Heal | undefined>(undefined, "git", "drift", "all", "all");
  return {
    name: "webshop",
    source: oneOf<WatchedProject["source"]>(
      { is: "dir", dir: "/work/load" },
      { is: "git", url: "https://git.example.com/tests.git", branch: "main", path: "" },
    ),
    ...(heal !== undefined && { heal }),
    prune: chance() < 0.5,
    intervalSecs: oneOf(120, 120, 120, 300, 900, 3600),
    timeoutSecs: 600,
    allowPrograms: false,
    suspend:
      chance() < 0.3 ? [{ during: officeHours, timeZone: oneOf("UTC", "Europe/Berlin", "America/New_York") }] : [],
  };
}
