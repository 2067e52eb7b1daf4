import type { Diagnostic, Locate } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json } from "../model/json.ts";
import type { Drift, DriftedObject } from "./find-drift.ts";

/** One thing that is not accepted, and why. */
interface Refused {
  readonly address: string;
  readonly field?: string;
  readonly why: string;
  readonly locate: Locate;
  /** Where a command has to act, as words of its line. */
  readonly place: string;
}

/** Something that cannot be written into the project's files. */
export function notAccepted({ address, field, why, locate, place }: Refused): Diagnostic {
  const what = field === undefined ? address : `${address}: ${field}`;
  return {
    severity: "error",
    code: "LF3016",
    summary: `${what} is not accepted`,
    detail: `found that ${why}; expected a value that stands in the project's YAML for this object. Change it where it comes from, or put back what is declared: loadform apply${place} --target '${address}'. Nothing was written`,
    address,
    ...locate(address, field === undefined ? [] : [field]),
  };
}

/** A pattern to which nothing that drifted belongs. */
export function nothingDrifted(pattern: string, { drifted }: Drift): Diagnostic {
  const addresses = drifted.map(({ address }) => address);
  const found = addresses.length === 0 ? "no drift at all" : `drift of ${addresses.slice(0, 5).join(", ")}`;
  const detail = `found ${found}; expected an address or glob of something that drifted.${didYouMean(pattern, addresses)}`;
  return { severity: "error", code: "LF3007", summary: `--accept ${pattern} matches nothing that drifted`, detail };
}

/** What appeared outside has nothing in the files that could be changed. */
export function notDeclared({ address, id, kind }: DriftedObject): Diagnostic {
  const detail = `found ${kind}#${id} declared by nobody below unmanaged: delete; expected something declared. To keep it: loadform import writes it down`;
  return { severity: "error", code: "LF3016", summary: `${address} is not accepted`, detail, address };
}

/** What the author of a program has to change. */
export function changesByHand(
  chosen: readonly DriftedObject[],
  locate: Locate,
  inlineValue: (value: Json | undefined) => string,
): readonly Diagnostic[] {
  return chosen.flatMap((object) =>
    object.action === "delete"
      ? [byHand(object.address, "it to be taken out: it is deleted at the service", locate(object.address))]
      : object.fields.map(({ field, after }) => {
          const value = isContentMark(after)
            ? "with the text that stands at the service"
            : `to be ${inlineValue(after)}`;
          return byHand(object.address, `${field} ${value}`, locate(object.address));
        }),
  );
}

function byHand(address: string, expected: string, place: ReturnType<Locate>): Diagnostic {
  return {
    severity: "error",
    code: "LF3016",
    summary: `${address} is to be changed by hand`,
    detail: `found a program, which loadform does not rewrite; expected ${expected}. Nothing was written`,
    address,
    ...place,
  };
}

/** What a plan of the changed files would still change. */
export function unproven(still: readonly string[], broken: readonly string[]): readonly Diagnostic[] {
  const remaining = still.length === 0 ? [] : [`${still.slice(0, 10).join(", ")} would still differ`];
  const others =
    broken.length === 0
      ? []
      : [`${broken.slice(0, 10).join(", ")} would change too, for it shares what is written there`];
  if (remaining.length + others.length === 0) return [];
  const detail = `found that with the live values in the files ${[...remaining, ...others].join("; ")}; expected only what is accepted to change. Write it by hand. Nothing was written`;
  return [{ severity: "error", code: "LF3017", summary: "the live values could not be accepted", detail }];
}
