import type { Diagnostic } from "../model/diagnostic.ts";
import { type Wild, wildMatcher } from "../model/wildcards.ts";
import type { DeclaredLoad } from "./declared-loads.ts";
import { type LimitInput, type LimitSource, limitFinding } from "./limit-finding.ts";

const any: Wild = { accepts: () => true, repeats: true };
const one: Wild = { accepts: () => true, repeats: false };

/** Configurations with a region that one of the sources does not allow, or with a test runner that names none. */
export function findForeignRegions(input: LimitInput): readonly Diagnostic[] {
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
