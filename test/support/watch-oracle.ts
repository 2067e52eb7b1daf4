import type { Finding, Found } from "../../src/watch/check-result.ts";
import type { Notification } from "../../src/watch/notifications.ts";
import type { ProjectMemory, ProjectState } from "../../src/watch/project-memory.ts";
import type { WatchedProject } from "../../src/watch/watched-project.ts";
import { begin, hourMs, minuteMs, type WatchWorld } from "./watch-world.ts";

/** What may be healed and told, as the contract has it, written apart from the decisions. */
export class WatchOracle {
  byHandUntil = 0;
  readonly problems: string[] = [];
  /** Addresses that were tried in vain, by version and difference; the newest last. */
  private readonly vain = new Map<string, Set<string>>();
  private readonly deaths = new Set<string>();
  private readonly healedAt = new Map<string, number[]>();
  private state: ProjectState | undefined;
  private isTroubled = false;
  private readonly project: WatchedProject;
  private readonly world: WatchWorld;
  constructor(world: WatchWorld) {
    this.world = world;
    this.project = world.project;
  }

  isSuspended(now: number): boolean {
    return now < this.byHandUntil || this.project.suspend.some(({ timeZone }) => isOfficeHour(now, timeZone));
  }

  /** An answer to a check: nothing in it that may not be written. */
  judgeHeals(addresses: readonly string[], found: Found, { now, version }: { now: number; version: string }): void {
    if (addresses.length === 0) return;
    const findings = new Map(found.findings.map((each) => [each.address, each]));
    if (this.isSuspended(now)) this.fail(now, "healed while suspended");
    if (found.blocked.length > 0) this.fail(now, "healed while blocked");
    for (const address of addresses) {
      const finding = findings.get(address);
      if (finding === undefined) this.fail(now, `healed ${address}, which is as declared`);
      else if (!this.mayBe(finding)) this.fail(now, `healed ${address}: ${JSON.stringify(finding)}`);
      if (this.world.busy(address, now)) this.fail(now, `healed ${address}, which is busy`);
      if (this.isVain(address, version, found.difference)) this.fail(now, `tried ${address} again in vain`);
      if (finding?.origin === "git") this.healedAt.delete(address);
    }
  }

  /** True for what the project heals at all. */
  mayBe({ origin, ends }: Finding): boolean {
    const { heal, prune } = this.project;
    return (heal === "all" || heal === origin) && (prune || !ends);
  }

  isVain(address: string, version: string, difference: string): boolean {
    return this.vain.get(`${version} ${difference}`)?.has(address) === true;
  }

  tryFailed(addresses: readonly string[], version: string, difference: string): void {
    const key = `${version} ${difference}`;
    const before = this.vain.get(key) ?? [];
    this.vain.delete(key);
    this.vain.set(key, new Set([...before, ...addresses]));
    // The watcher remembers as many.
    const [oldest] = this.vain.keys();
    if (this.vain.size > 20 && oldest !== undefined) this.vain.delete(oldest);
  }

  /** A check ended in its healing: the second time counts as a try that failed, for each object. */
  checkDied(addresses: readonly string[], version: string, difference: string): void {
    const keyOf = (address: string) => `${version} ${difference} ${address}`;
    const again = addresses.filter((address) => this.deaths.has(keyOf(address)));
    this.tryFailed(again, version, difference);
    for (const address of addresses) this.deaths.add(keyOf(address));
  }

  retried(): void {
    this.forgetTries();
    this.healedAt.clear();
  }

  forgetTries(): void {
    this.vain.clear();
    this.deaths.clear();
  }

  /** Drifted objects that were written: never a fourth time within an hour. */
  healed(addresses: readonly string[], now: number): void {
    for (const address of addresses) {
      const times = (this.healedAt.get(address) ?? []).filter((at) => at > now - hourMs);
      this.healedAt.set(address, [...times, now]);
      if (times.length >= 3) this.fail(now, `fights over ${address}: healed ${times.length + 1} times within an hour`);
    }
  }

  /** Everything that may be healed has been, some time after it changed and after anything was in the way; and fights have an end. */
  judgeRest(fights: ProjectMemory["fights"], { now, version }: { now: number; version: string }): void {
    const longest = 2.3 * this.project.intervalSecs * 1000 + 25 * minuteMs;
    const isCalm = (address: string, ms: number) =>
      now - Math.max(this.world.changedAt.get(address) ?? begin, this.world.hinderedAt) > ms;
    const findings = this.world.findings(now);
    // Any change of the difference may be a new reason to try.
    const isSettled = ["none", ...this.world.changedAt.keys()].every((address) => isCalm(address, longest));
    for (const finding of findings) {
      const { address } = finding;
      const isLeftAlone = fights[address]?.leftAloneSince !== undefined;
      const isExcused = isLeftAlone || this.isVain(address, version, this.world.difference());
      if (this.mayBe(finding) && isSettled && !isExcused)
        this.fail(now, `leaves ${address} as it is: ${JSON.stringify(finding)}`);
    }
    for (const address of Object.keys(fights))
      if (!findings.some((each) => each.address === address) && isCalm(address, hourMs + longest))
        this.fail(now, `the fight over ${address} does not end`);
  }

  /** Nothing has been in the way for long: what remains is what the project does not heal. */
  judgeEnd({ state, reason }: ProjectMemory, now: number): void {
    const left = this.world.findings(now);
    const undone = left.filter((each) => this.mayBe(each));
    if (undone.length > 0) this.fail(now, `does not converge: ${JSON.stringify([undone, state, reason])}`);
    const isUnpruned = left.some(({ origin }) => this.project.heal === "all" || this.project.heal === origin);
    const isBehind = isUnpruned || left.some(({ origin }) => origin === "git");
    const expected = isBehind ? "out-of-sync" : left.length > 0 ? "drifted" : "in-sync";
    if (state !== expected) this.fail(now, `is ${state}, not ${expected}`);
    if (isUnpruned && reason !== "prune") this.fail(now, "has not the reason prune");
  }

  told({ on, was, state, text }: Notification, { now, hasHealed }: { now: number; hasHealed: boolean }): void {
    if (on === state && (was === state || was !== this.state)) this.fail(now, `told twice: ${text}`);
    if (on === "healed" && !hasHealed) this.fail(now, `told without a healing: ${text}`);
    if (on === "recovered" && !this.isTroubled) this.fail(now, `told a recovery from nothing: ${text}`);
    if (on === "recovered") this.isTroubled = false;
    if (on !== "fought") return;
    const fought = [...this.healedAt].filter(([, times]) => times.length === 3);
    const named = fought.filter(([address]) => text.includes(address));
    if (named.length === 0) this.fail(now, `told a fight again, or none: ${text}`);
  }

  /** After everything was told that follows from an event. */
  became(state: ProjectState | undefined, now: number, told: readonly Notification[]): void {
    if (this.state !== undefined && state !== this.state && !told.some(({ on }) => on === state))
      this.fail(now, `${state} was not told (it was ${this.state})`);
    if (state !== "suspended" && state !== undefined) this.isTroubled = state !== "in-sync";
    this.state = state;
  }

  fail(now: number, problem: string): void {
    this.problems.push(`${new Date(now).toISOString()} ${this.project.name}: ${problem}`);
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function isOfficeHour(now: number, timeZone: string): boolean {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", hour: "2-digit", hourCycle: "h23" });
  formats.set(timeZone, format);
  const parts = format.formatToParts(now);
  const [day = "", hour = ""] = ["weekday", "hour"].map((type) => parts.find((part) => part.type === type)?.value);
  return !["Sat", "Sun"].includes(day) && Number(hour) >= 8 && Number(hour) < 18;
}
