import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import { cleanLine, counted } from "../../report/terminal-text.ts";
import type { PastCheck, ProjectMemory, ProjectState } from "../../watch/project-memory.ts";
import { exitOfAll } from "../exit-of.ts";

/** A check as a line of JSON. */
export function checkLine(name: string, { history: [check], outOfSync, drifted, nextCheckAt }: ProjectMemory) {
  if (check === undefined) return undefined;
  const next = nextCheckAt === undefined ? null : new Date(nextCheckAt).toISOString();
  const { at, ms, state, reason, commit, healed, moreHealed } = check;
  return {
    ...{ at, project: name, state, ...(reason !== undefined && { reason }) },
    ...{ commit, ms, healed: [...healed], ...(moreHealed !== undefined && { moreHealed }) },
    ...{ outOfSync: outOfSync.count, drifted: drifted.count, nextCheckAt: next },
  };
}

/** A check as a line for a person. */
export function checkText(name: string, { history: [check], outOfSync, drifted }: ProjectMemory): string | undefined {
  if (check === undefined) return undefined;
  const { at, state, reason, commit, ms } = check;
  const healed = healedIn(check);
  const parts = [
    ...(reason === undefined ? [] : [reason]),
    ...(outOfSync.count > 0 ? [`${outOfSync.count} not applied`] : []),
    ...(drifted.count > 0 ? [`${drifted.count} changed outside`] : []),
    ...(healed > 0 ? [`healed ${counted(healed, "object")}`] : []),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 10)}`]),
    `${(ms / 1000).toFixed(1)} s`,
  ];
  return cleanLine(`${at} ${name}: ${state} (${parts.join(", ")})`);
}

/** Objects that a check healed; it names the first of them. */
function healedIn({ healed, moreHealed = 0 }: PastCheck): number {
  return healed.length + moreHealed;
}

/** True where the problems of a check are worth telling: they are not those of the one before. */
export function hasNewProblems(memory: ProjectMemory, before: ProjectMemory): boolean {
  const words = ({ problems }: ProjectMemory) =>
    JSON.stringify(problems.map(({ code, detail }: Diagnostic) => [code, detail]));
  return memory.problems.length > 0 && words(memory) !== words(before);
}

const exitOfState: Readonly<Record<ProjectState, ExitCode>> = {
  "in-sync": 0,
  suspended: 0,
  "out-of-sync": 2,
  drifted: 2,
  blocked: 3,
  locked: 4,
  failed: 1,
};

/** The exit code of projects in these states; one without a state was not checked. */
export function exitOfStates(states: readonly (ProjectState | undefined)[]): ExitCode {
  return exitOfAll(states.map((state) => (state === undefined ? 1 : exitOfState[state])));
}
