import type { Diagnostic } from "../model/diagnostic.ts";
import type { DeclaredLoad } from "./declared-loads.ts";
import {
  amountWords,
  brokenLimit,
  type Contributor,
  contributorWords,
  figureWords,
  isLimited,
  type LimitInput,
  limitFinding,
} from "./limit-finding.ts";
import type { RunsOf } from "./week-runs.ts";

/** Runs and weeks of more user-hours than the limits allow. Iterations take as long as they take, so they are above any. */
export function findUserHours(
  input: LimitInput,
  breakingPoint: number | undefined,
  runsOf: RunsOf,
): readonly Diagnostic[] {
  const hoursOf = (load: DeclaredLoad) => runHours(load, breakingPoint);
  return [
    ...input.loads.flatMap((load) => endless(load, input)),
    ...input.loads.flatMap((load) => hoursPerRun(load, hoursOf(load), input)),
    ...hoursPerWeek(input, hoursOf, runsOf),
  ];
}

/** User-hours of one run; undefined where they are not known. */
function runHours(load: DeclaredLoad, breakingPoint: number | undefined): number | undefined {
  const { isBreakingPoint, seconds, userHours } = load;
  if (!isBreakingPoint) return userHours;
  return breakingPoint === undefined || seconds === undefined ? undefined : (breakingPoint * seconds) / 3600;
}

function endless({ address, seconds, isBreakingPoint }: DeclaredLoad, input: LimitInput): readonly Diagnostic[] {
  if (seconds !== undefined || isBreakingPoint) return [];
  return input.sources.flatMap(({ limits, nameOf, severity }) => {
    const { perRun, perWeek } = limits.userHours ?? {};
    const broken = [
      ...(perRun === undefined ? [] : [`${nameOf("userHours.perRun")} (${amountWords(perRun)})`]),
      ...(perWeek === undefined ? [] : [`${nameOf("userHours.perWeek")} (${amountWords(perWeek)})`]),
    ];
    if (broken.length === 0) return [];
    const summary = `${address} has no bound of user-hours`;
    const detail = `It ends by iterations, which take as long as they take, so it is above ${broken.join(" and ")}. Set durationSecs instead of iterations`;
    return [limitFinding(input, { severity, code: "LF4009", summary, detail, address })];
  });
}

function hoursPerRun(
  { address, isHidden }: DeclaredLoad,
  hours: number | undefined,
  input: LimitInput,
): readonly Diagnostic[] {
  const broken =
    hours === undefined ? undefined : brokenLimit(input.sources, hours, (limits) => limits.userHours?.perRun);
  if (hours === undefined || broken === undefined) return [];
  const { source, limit } = broken;
  const name = source.nameOf("userHours.perRun");
  const parts = [{ address, amount: hours, isHidden }];
  const figure = figureWords(hours, limit, parts);
  return [
    limitFinding(input, {
      severity: source.severity,
      code: "LF4009",
      summary: `a run of ${address} has ${figure} user-hours, above the limit of ${amountWords(limit)}`,
      detail: `The limit is ${name}. ${contributorWords(parts, "user-hours", input)}. Lower its users or its duration`,
      address,
    }),
  ];
}

function hoursPerWeek(
  input: LimitInput,
  hoursOf: (load: DeclaredLoad) => number | undefined,
  runsOf: RunsOf,
): readonly Diagnostic[] {
  const { loads, sources } = input;
  if (!isLimited(sources, (limits) => limits.userHours?.perWeek)) return [];
  const parts = loads.flatMap((load) => {
    const [hours, seconds] = [hoursOf(load), load.seconds];
    if (hours === undefined || seconds === undefined) return [];
    return load.schedules.flatMap((schedule): readonly Contributor[] => {
      const { most } = runsOf(schedule, seconds);
      const words = `${most} × ${amountWords(hours)} user-hours`;
      return most === 0 ? [] : [{ address: schedule.address, amount: most * hours, words, isHidden: load.isHidden }];
    });
  });
  const sum = parts.reduce((total, { amount }) => total + amount, 0);
  const broken = brokenLimit(sources, sum, (limits) => limits.userHours?.perWeek);
  const [top] = [...parts].sort((left, right) => right.amount - left.amount);
  if (broken === undefined || top === undefined) return [];
  const { source, limit } = broken;
  return [
    limitFinding(input, {
      severity: source.severity,
      code: "LF4009",
      summary: `schedules run ${figureWords(sum, limit, parts)} user-hours in seven days, above the limit of ${amountWords(limit)}`,
      detail: `The limit is ${source.nameOf("userHours.perWeek")}. ${contributorWords(parts, "user-hours", input)}. Run less often, shorter, or with fewer users`,
      address: top.address,
    }),
  ];
}
