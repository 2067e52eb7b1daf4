/** Whether a condition holds that consists of comparisons with ==, != and (at GitLab) =~, joined by && and ||. */
export function holds(condition: string, lookUp: (operand: string) => string): boolean {
  return condition.split("||").some((either) => either.split("&&").every((term) => comparisonHolds(term, lookUp)));
}

function comparisonHolds(term: string, lookUp: (operand: string) => string): boolean {
  const [, tested, pattern] = /^\s*(\S+)\s*=~\s*\/(.*)\/\s*$/.exec(term) ?? [];
  if (tested !== undefined && pattern !== undefined) return new RegExp(pattern).test(lookUp(tested));
  const parts = /^\s*(\S+)\s*(==|!=)\s*(\S.*?)\s*$/.exec(term);
  if (!parts) throw new Error(`not a comparison: ${term}`);
  const [, left = "", operator, right = ""] = parts;
  const side = (operand: string) => (/^(['"]).*\1$/.test(operand) ? operand.slice(1, -1) : lookUp(operand));
  return (side(left) === side(right)) === (operator === "==");
}
