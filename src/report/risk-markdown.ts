import type { Change, Pause, Plan } from "../plan/plan.ts";
import { isEnding } from "../plan/plan.ts";
import { actionWords } from "./change-markdown.ts";
import { counted } from "./clean-text.ts";
import { loadLine } from "./load-line.ts";
import { cutTable, inlineCode, plainMarkdown } from "./markdown-text.ts";
import { nextTimesLine } from "./next-times-text.ts";

/**
 * A table of what goes and what goes with it, what load is made, and when it starts by itself; undefined for none.
 * What nothing goes with comes last: it is the first that there may be no room for.
 */
export function riskTable({ changes, pauses }: Plan, characters: number): string | undefined {
  const ending = changes.filter(isEnding);
  const rows = [
    ...ending.filter(isGrave).map(lossRow),
    ...changes.flatMap((change) => noteRow(change, "load", changedLoad(change))),
    ...changes.flatMap((change) => noteRow(change, "next runs", nextTimesLine(change))),
    ...pauses.map(pauseRow),
    ...ending.filter((change) => !isGrave(change)).map(lossRow),
  ];
  return rows.length === 0 ? undefined : cutTable(["", "Address", "What"], rows, characters);
}

/** Something is lost for good, or it is somebody else's. */
function isGrave({ risks, reason }: Change): boolean {
  return risks.length > 0 || reason === "unmanaged";
}

function lossRow(change: Change): readonly string[] {
  const { address, risks, reason } = change;
  const words = [
    ...(reason === "unmanaged" ? ["nobody here declared it"] : []),
    risks.length === 0 ? "nothing recorded goes with it" : `would be lost: **${plainMarkdown(risks.join(", "))}**`,
  ];
  return [`${isGrave(change) ? "⚠️ " : ""}**${actionWords(change)}**`, inlineCode(address), words.join("; ")];
}

/** Whether it would start meanwhile is known when the plan is carried out (docs/engine.md, Write routes). */
function pauseRow({ address, around }: Pause): readonly string[] {
  const words = `paused while what it runs changes (${counted(around.length, "write")}), if it could start meanwhile`;
  return ["pause", inlineCode(address), words];
}

function changedLoad(change: Change): string | undefined {
  const line = loadLine(change);
  return line?.endsWith("(as now)") ? undefined : line;
}

function noteRow({ address }: Change, title: string, line: string | undefined): readonly (readonly string[])[] {
  return line === undefined ? [] : [[title, inlineCode(address), plainMarkdown(line.replace(/^[\w ]+: /, ""))]];
}
