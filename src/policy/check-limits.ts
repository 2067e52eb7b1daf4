import type { Diagnostic } from "../model/diagnostic.ts";
import type { Limits } from "../model/limits.ts";
import { type Wild, wildMatcher } from "../model/wildcards.ts";
import { type DeclaredLoad, isWithheld } from "./declared-loads.ts";
import { findDeniedHours, findDeniedRun, timeWords } from "./denied-hours.ts";
import {
  amountWords,
  type BrokenLimit,
  brokenLimit,
  type Contributor,
  contributorWords,
  figureWords,
  isLimited,
  type LimitInput,
  type LimitSource,
  limitFinding,
} from "./limit-finding.ts";
import { findUserHours } from "./user-hours.ts";
import { type Peak, sweepWeek, usersInRegion, usersOf, type WeekSweep } from "./week-peak.ts";
import { runsReader } from "./week-runs.ts";

/** Everything that a project declares beyond its limits, in its environment: what `validate`, `plan` and `apply` check. */
export function checkLimits(given: LimitInput): readonly Diagnostic[] {
  const withheld = given.loads.filter(isWithheld);
  const input = { ...given, loads: given.loads.filter((load) => !isWithheld(load)) };
  const breakingPoint = smallestBreakingPoint(input.sources);
  const runsOf = runsReader(input.now);
  const sweep = sweepWeek(input, runsOf);
  return [
    ...withheld.flatMap((load) => uncheckedLoad(load, input)),
    ...(breakingPoint === undefined ? input.loads.flatMap((load) => boundless(load, input)) : []),
    ...findPeak(input, sweep, breakingPoint),
    ...findRegionPeaks(input, sweep, breakingPoint),
    ...findUserHours(input, breakingPoint, runsOf),
    ...findDeniedHours(input, runsOf),
    ...findForeignRegions(input),
  ];
}

/** Checks the limits before a configuration is started now: it counts as a gate, and unless it is simulated its hours count. */
export function checkRunLimits(
  input: LimitInput,
  run: { readonly address: string; readonly isSimulated: boolean },
): readonly Diagnostic[] {
  const load = input.loads.find(({ address }) => address === run.address);
  return [
    ...checkLimits({ ...input, gates: [...input.gates, run.address] }),
    ...(load === undefined || run.isSimulated ? [] : findDeniedRun(load, input)),
  ];
}

function uncheckedLoad({ address }: DeclaredLoad, input: LimitInput): readonly Diagnostic[] {
  const isUnlimited = ({ users, userHours, hours, regions }: Limits) =>
    [...Object.values(users ?? {}), ...Object.values(userHours ?? {}), ...(hours ?? []), regions?.allow].every(
      (limit) => limit === undefined,
    );
  const source = mostSevere(input.sources.filter(({ limits }) => !isUnlimited(limits)));
  if (source === undefined) return [];
  const detail =
    "Its users, times or regions come from ${env:…}, so the saved plan does not contain them, and nothing can be compared with the limits. Apply the folder of the project instead of the file";
  const summary = `the limits of ${address} cannot be checked`;
  return [limitFinding(input, { severity: source.severity, code: "LF4009", summary, detail, address })];
}

function mostSevere(sources: readonly LimitSource[]): LimitSource | undefined {
  return sources.find(({ severity }) => severity === "error") ?? sources[0];
}

function smallestBreakingPoint(sources: readonly LimitSource[]): number | undefined {
  const set = sources.flatMap(({ limits }) => limits.users?.breakingPoint ?? []);
  return set.length === 0 ? undefined : Math.min(...set);
}

const figures: Readonly<Record<string, (limits: Limits) => number | undefined>> = {
  "users.atPeak": ({ users }) => users?.atPeak,
  "users.perRegion": ({ users }) => users?.perRegion,
  "userHours.perRun": ({ userHours }) => userHours?.perRun,
  "userHours.perWeek": ({ userHours }) => userHours?.perWeek,
};

/** A BreakingPoint of which nothing says how many users it has is above every limit of users and user-hours. */
function boundless({ address, isBreakingPoint }: DeclaredLoad, input: LimitInput): readonly Diagnostic[] {
  if (!isBreakingPoint) return [];
  const broken = input.sources.flatMap((source) =>
    Object.entries(figures).flatMap(([key, limitOf]) => {
      const limit = limitOf(source.limits);
      return limit === undefined ? [] : [{ source, words: `${source.nameOf(key)} (${amountWords(limit)})` }];
    }),
  );
  const source = mostSevere(broken.map((each) => each.source));
  if (source === undefined) return [];
  const above = broken.map(({ words }) => words).join(", ");
  const summary = `${address} has no bound of users`;
  const detail = `A BreakingPoint adds users until a trigger fires, up to the account's maximum, so it is above ${above}. Set that maximum as users.breakingPoint of the limits`;
  return [limitFinding(input, { severity: source.severity, code: "LF4009", summary, detail, address })];
}

function findPeak(input: LimitInput, sweep: WeekSweep, breakingPoint: number | undefined): readonly Diagnostic[] {
  const limitOf = ({ users }: Limits) => users?.atPeak;
  if (!isLimited(input.sources, limitOf)) return [];
  const peak = sweep.peak((load) => usersOf(load, breakingPoint));
  const broken = brokenLimit(input.sources, peak.users, limitOf);
  return broken === undefined ? [] : [peakFinding(input, peak, { broken, key: "users.atPeak", where: "" })];
}

/** A region that the service chooses may be any of the named ones, so it counts with each; alone it is a region by itself. */
function findRegionPeaks(
  input: LimitInput,
  sweep: WeekSweep,
  breakingPoint: number | undefined,
): readonly Diagnostic[] {
  const limitOf = ({ users }: Limits) => users?.perRegion;
  if (!isLimited(input.sources, limitOf)) return [];
  const all = new Set(input.loads.flatMap(({ regions }) => regions.map(({ name }) => name)));
  const names = all.size > 1 ? [...all].filter((name) => name !== undefined) : [...all];
  return names.flatMap((name) => {
    const peak = sweep.peak((load) => usersInRegion(load, name, breakingPoint));
    const broken = brokenLimit(input.sources, peak.users, limitOf);
    const where = ` in ${name ?? "a region that the service chooses"}`;
    return broken === undefined ? [] : [peakFinding(input, peak, { broken, key: "users.perRegion", where })];
  });
}

function peakFinding(
  input: LimitInput,
  { users, minute, parts }: Peak,
  { broken, key, where }: { readonly broken: BrokenLimit; readonly key: string; readonly where: string },
): Diagnostic {
  const { source, limit } = broken;
  const contributors = parts().map(
    ({ address, times, users: amount, isHidden }): Contributor => ({
      address,
      amount,
      isHidden,
      ...(times > 1 && { words: `${times} × ${amountWords(amount / times)} users` }),
    }),
  );
  const [top] = [...contributors].sort((left, right) => right.amount - left.amount);
  const figure = figureWords(users, limit, contributors);
  const running = contributorWords(contributors, "users", input);
  return limitFinding(input, {
    severity: source.severity,
    code: "LF4009",
    summary: `${figure} users at peak${where}, above the limit of ${amountWords(limit)}`,
    detail: `The limit is ${source.nameOf(key)}. At ${timeWords(minute * 60)} UTC there may be: ${running}. Move schedules apart, or lower their users`,
    address: top?.address ?? "",
  });
}

const any: Wild = { accepts: () => true, repeats: true };
const one: Wild = { accepts: () => true, repeats: false };

/** Configurations with a region that one of the sources does not allow, or with a test runner that names none. */
function findForeignRegions(input: LimitInput): readonly Diagnostic[] {
  return input.sources.flatMap((source) => {
    const { allow } = source.limits.regions ?? {};
    if (allow === undefined) return [];
    const matchers = allow.map((glob) =>
      wildMatcher([...glob].map((each) => (each === "*" ? any : each === "?" ? one : each))),
    );
    const isAllowed = (name: string) => matchers.some((matches) => matches(name));
    const allowed = `${source.nameOf("regions.allow")} allows ${allow.length === 0 ? "none" : allow.join(", ")}`;
    return input.loads.flatMap((load) => foreignRegions(load, { input, source, allowed, isAllowed }));
  });
}

function foreignRegions(
  { address, regions }: DeclaredLoad,
  {
    input,
    source,
    allowed,
    isAllowed,
  }: Readonly<{ input: LimitInput; source: LimitSource; allowed: string; isAllowed: (name: string) => boolean }>,
): readonly Diagnostic[] {
  const names = new Set(regions.flatMap(({ name }) => (name === undefined || isAllowed(name) ? [] : [name])));
  const isOpen = regions.some(({ name }) => name === undefined);
  if (names.size === 0 && !isOpen) return [];
  const found = [
    ...(names.size === 0 ? [] : [`It runs in ${[...names].join(", ")}`]),
    ...(isOpen ? ["A test runner of it names no region, so the service may choose any"] : []),
  ];
  return [
    limitFinding(input, {
      severity: source.severity,
      code: "LF4011",
      summary: `${address} runs in a region that is not allowed`,
      detail: `${found.join(". ")}, and ${allowed}. Name allowed regions only, in every test runner`,
      address,
    }),
  ];
}
