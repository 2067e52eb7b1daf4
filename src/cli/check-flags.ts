import type { Diagnostic } from "../model/diagnostic.ts";
import type { Flag, FlagName, FlagValues } from "./flag-table.ts";
import { flagTable } from "./flag-table.ts";
import { notBuilt, usageProblem } from "./usage-problem.ts";

/** The values of flags in their types, and everything that is wrong with them at once. */
export function checkFlags(given: ReadonlyMap<FlagName, unknown>): {
  readonly flags: FlagValues;
  readonly diagnostics: readonly Diagnostic[];
} {
  const flags: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const [name, value] of given) {
    const checked = checkValue(flagTable[name], value);
    if (checked.problems.length > 0) diagnostics.push(...checked.problems);
    else flags[name] = checked.value;
  }
  return { flags, diagnostics };
}

interface Checked {
  readonly value?: unknown;
  readonly problems: readonly Diagnostic[];
}

function checkValue(flag: Flag, value: unknown): Checked {
  const word = flag.usage.split(" ")[0] ?? flag.usage;
  if (flag.later) return { problems: [notBuilt(word)] };
  if (flag.assignment) return checkAssignments(word, Array.isArray(value) ? value.map(String) : []);
  const empty = (Array.isArray(value) ? value : [value]).some((each) => each === "");
  if (empty) return wrong(`${word} has an empty value`, `found nothing; expected ${flag.usage}`);
  if (flag.integer) return checkInteger(word, String(value), flag.integer);
  if (flag.choices && !flag.choices.includes(String(value)))
    return wrong(
      `${word} takes another value`,
      `found ${JSON.stringify(value)}; expected ${flag.choices.join(" or ")}`,
    );
  return { value, problems: [] };
}

function wrong(summary: string, detail: string): Checked {
  return { problems: [usageProblem(summary, detail)] };
}

function checkInteger(word: string, text: string, { minimum, maximum }: { minimum: number; maximum: number }): Checked {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return { value, problems: [] };
  return wrong(
    `${word} takes a whole number`,
    `found ${JSON.stringify(text)}; expected one from ${minimum} to ${maximum}`,
  );
}

/** The value of a malformed assignment is not repeated: it may be a secret. */
function checkAssignments(word: string, texts: readonly string[]): Checked {
  const problems = texts
    .filter((text) => !/^[A-Za-z_][\w.-]*=/.test(text))
    .map((text) =>
      usageProblem(
        `${word} is not NAME=VALUE`,
        `${describe(text)}; expected a variable's name, = and its value, as in: ${word} users=20`,
      ),
    );
  const entries = texts.map((text): [string, string] => [
    text.slice(0, text.indexOf("=")),
    text.slice(text.indexOf("=") + 1),
  ]);
  return { value: Object.fromEntries(entries), problems };
}

function describe(text: string): string {
  if (text.includes("=")) return `found ${JSON.stringify(text.slice(0, text.indexOf("=")))} before the =`;
  return text === "" ? "found nothing" : `found ${JSON.stringify(text)} without =`;
}
