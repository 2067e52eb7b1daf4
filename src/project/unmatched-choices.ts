import { addressMatcher } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { PlanOptions } from "../plan/plan-input.ts";

/** A problem for every --target and --replace that no address has, declared or bound: most likely it is mistyped. */
export function unmatchedChoices(
  { targets, replace, saidMovesOnly }: PlanOptions,
  addresses: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (saidMovesOnly === true) return [];
  const choices = [
    ...targets.map((glob) => ({ flag: "--target", glob })),
    ...replace.map((glob) => ({ flag: "--replace", glob })),
  ];
  return choices.flatMap(({ flag, glob }): readonly Diagnostic[] => {
    const matches = addressMatcher(glob);
    if ([...addresses].some(matches)) return [];
    const hint = didYouMean(glob, addresses);
    const detail = `found no object of this address among ${addresses.size}, declared or bound; expected at least one.${hint}`;
    return [{ severity: "error", code: "LF3007", summary: `${flag} ${glob} matches nothing`, detail }];
  });
}
