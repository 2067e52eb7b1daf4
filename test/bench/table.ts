/** One measured number beside the goal of docs/engine.md, Speed. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal;
}

/** The value is to stay at or below, or to reach at least. */
type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** A row as a line: the number, its goal, and a mark where it was missed. Nothing is judged beyond that. */
export function rowText({ what, value, unit, goal }: Row): string {
  const cells = [
    what.padEnd(58),
    rounded(value).padStart(9),
    unit.padEnd(9),
    goalText(goal).padEnd(10),
    mark(value, goal),
  ];
  return cells.join("  ").trimEnd();
}

function goalText(goal: Goal | undefined): string {
  if (goal === undefined) return "";
  return "atMost" in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
}

function mark(value: number, goal: Goal | undefined): string {
  if (goal === undefined) return "";
  const isMet = "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
  return isMet ? "" : "missed";
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
