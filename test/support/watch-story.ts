import type { CheckResult } from "../../src/watch/check-result.ts";
import { decide, newMemory } from "../../src/watch/decide.ts";
import type { ProjectMemory } from "../../src/watch/project-memory.ts";
import type { WatchEvent } from "../../src/watch/watch-events.ts";
import type { WatchedProject } from "../../src/watch/watched-project.ts";
import { WatchOracle } from "./watch-oracle.ts";
import {
  anyProject,
  begin,
  type Chance,
  chanceOf,
  dayMs,
  hourMs,
  laterBy,
  minuteMs,
  WatchWorld,
} from "./watch-world.ts";

/** A check under way: what it was told to heal, once it has compared. */
interface UnderWay {
  readonly at: number;
  readonly commit: number;
  readonly told?: {
    readonly addresses: readonly string[];
    readonly drifted: readonly string[];
    readonly difference: string;
  };
}

export interface StoryFigures {
  readonly events: number;
  readonly checks: number;
  readonly healed: number;
  readonly told: number;
  readonly fights: number;
  /** Characters of the memory as JSON: the most in the first third, and in the last. */
  readonly memory: readonly [number, number];
  readonly problems: readonly string[];
}

/** One project from its first check on: everything happens to it by chance, and the oracle judges every step. */
export class WatchStory {
  private now = begin;
  private memory: ProjectMemory = newMemory();
  private due = Number.POSITIVE_INFINITY;
  private underWay: UnderWay | undefined;
  private retryAsked = false;
  private readonly chance: Chance;
  private readonly project: WatchedProject;
  private readonly world: WatchWorld;
  private readonly oracle: WatchOracle;
  private sources: { at: number; readonly meanMs: number; readonly act: () => void }[] = [];
  private counts = { events: 0, checks: 0, healed: 0, told: 0, fights: 0 };

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    this.project = anyProject(this.chance);
    this.world = new WatchWorld(this.project, this.chance);
    this.oracle = new WatchOracle(this.world);
    const every = (meanMs: number, act: () => void) =>
      this.sources.push({ at: laterBy(this.chance, begin, meanMs), meanMs, act });
    every(14 * hourMs, () => this.push());
    every(10 * hourMs, () => this.world.edit(this.now));
    every(5 * dayMs, () => this.hinder("outageUntil", 3 * hourMs));
    every(6 * dayMs, () => this.hinder("guardUntil", 5 * hourMs));
    every(6 * dayMs, () => this.hinder("lockUntil", 3 * hourMs));
    every(18 * hourMs, () => this.world.addRun(this.now));
    every(2 * dayMs, () => this.world.beginFight(this.now));
    every(3 * minuteMs, () => this.world.fightBack(this.now));
    every(9 * dayMs, () => this.restart());
    every(1.5 * dayMs, () => this.suspend());
    every(2 * dayMs, () => this.ask(this.chance() < 0.4));
    every(5 * hourMs, () => this.probe());
  }

  tell(days: number): StoryFigures {
    const memory: [number, number] = [0, 0];
    this.decide({ is: "started", project: this.project.name });
    for (let part = 1; part <= 60; part++) {
      this.runUntil(begin + (part * days * dayMs) / 60);
      const third = part <= 20 ? 0 : 1;
      if (third === 0 || part > 40) memory[third] = Math.max(memory[third], JSON.stringify(this.memory).length);
    }
    this.settle();
    return { ...this.counts, memory, problems: this.oracle.problems };
  }

  private runUntil(end: number): void {
    for (;;) {
      const source = this.sources.reduce((first, each) => (each.at < first.at ? each : first), {
        at: end,
        act: () => {},
        meanMs: 0,
      });
      const at = Math.min(this.due, this.underWay?.at ?? end, source.at, end);
      this.now = Math.max(this.now, at);
      if (at >= end) return;
      if (this.underWay?.at === at) this.proceed(this.underWay);
      else if (this.due === at) this.beDue();
      else {
        source.at = laterBy(this.chance, this.now, source.meanMs);
        source.act();
      }
    }
  }

  /** Everything is over, and a retry is asked for: what remains is what the project does not heal. */
  private settle(): void {
    this.sources = [];
    Object.assign(this.world, { outageUntil: 0, guardUntil: 0, lockUntil: 0, runs: [], fighter: undefined });
    this.world.refused.clear();
    this.oracle.byHandUntil = 0;
    this.decide({ is: "resumed", project: this.project.name });
    this.runUntil(this.now + dayMs);
    this.ask(true);
    // Some hours without a suspension at the end.
    for (let hours = 0, calm = 0; hours < 24 || calm < 3; hours++) {
      this.runUntil(this.now + hourMs);
      calm = this.oracle.isSuspended(this.now) ? 0 : calm + 1;
    }
    this.oracle.judgeEnd(this.memory, this.now);
  }

  private decide(event: WatchEvent, healed: readonly string[] = []): readonly string[] {
    this.counts.events++;
    const { memory, actions } = decide({ project: this.project, memory: this.memory }, event, {
      now: this.now,
      random: this.chance,
    });
    const { now } = this;
    const told = actions.flatMap((action) => (action.do === "tell" ? [action.notification] : []));
    for (const notification of told) this.oracle.told(notification, { now, hasHealed: healed.length > 0 });
    this.oracle.became(memory.state, now, told);
    this.counts.told += told.length;
    this.counts.fights += told.filter(({ on }) => on === "fought").length;
    this.memory = memory;
    if (memory.state === "suspended") this.world.hinder(now);
    for (const action of actions) {
      if (action.do === "check") this.begin();
      if (action.do === "wait") this.wait(action.until);
    }
    const answer = actions.find((action) => action.do === "heal");
    return answer?.do === "heal" ? answer.addresses : [];
  }

  private begin(): void {
    if (this.underWay !== undefined) this.oracle.fail(this.now, "began a second check");
    if (this.oracle.isSuspended(this.now)) this.oracle.fail(this.now, "began a check while suspended");
    this.counts.checks++;
    this.due = Number.POSITIVE_INFINITY;
    this.underWay = { at: this.now + 1000 + this.chance() * 20_000, commit: this.world.commit };
  }

  private wait(until: number): void {
    this.due = until;
    const longest = Math.max(this.project.intervalSecs * 1100, 15 * minuteMs);
    const isLate = until > this.now + longest && this.memory.state !== "suspended";
    if (until <= this.now || isLate) this.oracle.fail(this.now, `waits for ${until - this.now} ms`);
  }

  private beDue(): void {
    this.due = Number.POSITIVE_INFINITY;
    this.decide({ is: "due", project: this.project.name });
    const isBegun = this.underWay !== undefined;
    if (isBegun === this.oracle.isSuspended(this.now)) this.oracle.fail(this.now, `due, and begun: ${isBegun}`);
  }

  private at(commit: number): { readonly project: string; readonly commit?: string } {
    const { name, source } = this.project;
    return source.is === "git" ? { project: name, commit: `c${commit}` } : { project: name };
  }

  private version(commit: number): string {
    return this.project.source.is === "git" ? `c${commit}` : `documents of ${commit}`;
  }

  /** The check under way compares, or ends. */
  private proceed({ commit, told }: UnderWay): void {
    if (told === undefined) this.compare(commit);
    else this.endHealing({ commit, told });
  }

  private compare(commit: number): void {
    const result = this.world.look(this.now);
    if (result.is !== "checked") {
      this.end(result, commit);
      return;
    }
    const { found } = result;
    const addresses = this.decide({ ...this.at(commit), is: "compared", found });
    this.oracle.judgeHeals(addresses, found, { now: this.now, version: this.version(commit) });
    if (addresses.length === 0) {
      this.end(result, commit);
      return;
    }
    const drifted = found.findings.filter(({ origin }) => origin === "drift").map(({ address }) => address);
    const next = {
      addresses,
      drifted: addresses.filter((each) => drifted.includes(each)),
      difference: found.difference,
    };
    this.underWay = { at: this.now + 500 + this.chance() * 60_000, commit, told: next };
  }

  private endHealing({
    commit,
    told,
  }: {
    readonly commit: number;
    readonly told: NonNullable<UnderWay["told"]>;
  }): void {
    const { addresses, drifted, difference } = told;
    const isKilled = this.sources.length > 0 && this.chance() < 0.02;
    const version = this.version(commit);
    const heal = this.world.heal(isKilled ? addresses.slice(0, addresses.length / 2) : addresses, this.now);
    this.counts.healed += heal.written.length;
    if (isKilled) {
      if (!this.retryAsked) this.oracle.checkDied(addresses, version, difference);
      this.end({ is: "failed", diagnostics: [] }, commit);
      return;
    }
    if (heal.status === "failed" || heal.status === "partial") {
      if (!this.retryAsked) this.oracle.tryFailed(addresses, version, difference);
      this.world.hinder(this.now);
    }
    const again = heal.written.filter((each) => drifted.includes(each));
    this.oracle.healed(again, this.now);
    const isUnseen = this.chance() < 0.1;
    const end = isUnseen
      ? ({ is: "failed", diagnostics: [] } as const)
      : { is: "checked" as const, found: this.world.found(this.now) };
    this.end({ ...end, heal }, commit);
  }

  private end(result: CheckResult, commit: number): void {
    this.underWay = undefined;
    if (result.is === "failed") this.world.hinder(this.now);
    if (result.is === "checked" && result.found.findings.length === 0) this.oracle.forgetTries();
    const healed = result.is === "refused" ? [] : (result.heal?.written ?? []);
    if (this.retryAsked) this.oracle.retried();
    this.retryAsked = false;
    this.decide({ ...this.at(commit), is: "ended", result, ms: 5000 }, healed);
  }

  /** A check has its own checkout, so the world lets git wait for its end. */
  private push(): void {
    if (this.underWay !== undefined) return;
    this.world.push(this.now);
    if (this.chance() < 0.5) this.ask(false);
  }

  private hinder(what: "outageUntil" | "guardUntil" | "lockUntil", meanMs: number): void {
    this.world[what] = laterBy(this.chance, this.now, meanMs);
    this.world.hinder(this.world[what]);
  }

  /** A watcher that was killed, and one that begins with what was written. */
  private restart(): void {
    const { underWay } = this;
    if (underWay?.told !== undefined) this.world.heal(underWay.told.addresses.slice(1), this.now);
    this.underWay = undefined;
    this.retryAsked = false;
    this.due = Number.POSITIVE_INFINITY;
    this.world.hinder(this.now);
    this.memory = JSON.parse(JSON.stringify(this.memory));
    this.decide({ is: "started", project: this.project.name });
  }

  /** Somebody suspends the project, often while a check is under way, and may resume it at once. */
  private suspend(): void {
    if (this.chance() < 0.8) {
      this.world.edit(this.now);
      this.ask(false);
    }
    const until = Math.round(laterBy(this.chance, this.now, 8 * hourMs)) + 1;
    this.oracle.byHandUntil = until;
    this.decide({ is: "suspended", project: this.project.name, until });
    if (this.chance() > 0.5) return;
    this.oracle.byHandUntil = 0;
    this.decide({ is: "resumed", project: this.project.name });
  }

  private ask(retry: boolean): void {
    if (retry) {
      this.oracle.retried();
      this.world.hinder(this.now);
      this.retryAsked = this.underWay !== undefined;
    }
    this.decide({ is: "asked", project: this.project.name, retry });
  }

  private probe(): void {
    if (this.memory.state === "suspended") this.world.hinder(this.now);
    const isOver = this.memory.state === "suspended" && !this.oracle.isSuspended(this.now);
    if (isOver && this.underWay === undefined && this.due > this.now + this.project.intervalSecs * 100)
      this.oracle.fail(this.now, "is suspended for no reason");
    this.oracle.judgeRest(this.memory.fights, { now: this.now, version: this.version(this.world.commit) });
  }
}
