import { type Diagnostic, errorOf, type Locate, type Position, placeSuffix } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { spellValue } from "../model/normal-form.ts";
import { escaped } from "../model/written.ts";
import type { ByHand, Drift, DriftedObject } from "./find-drift.ts";

/** One thing that is not accepted, and why. */
export interface Refused {
  readonly address: string;
  readonly field?: string;
  readonly why: string;
}

/** Where things are declared. */
export interface Places {
  readonly locate: Locate;
  readonly locateVariable?: ((name: string) => Position | undefined) | undefined;
}

/** Something that cannot be written into the project's files; `place` is where a command has to act, as words of its line. */
export function notAccepted(
  refused: Refused,
  { locate, locateVariable, place }: Places & { readonly place: string },
): Diagnostic {
  const { address, field, why } = refused;
  const what = field === undefined ? address : `${address}: ${field}`;
  const origin = originOf(refused, { locate, locateVariable }) ?? "it where it comes from";
  const detail = `It cannot be written into the project's YAML for this object: ${why}. Change ${origin}, or put back what is declared: loadform apply${place} --target '${address}'. Nothing was written`;
  return { ...errorOf("LF3016", `${what} is not accepted`, detail), address, ...placeOfRefused(refused, locate) };
}

function placeOfRefused({ address, field }: Refused, locate: Locate): Position | undefined {
  return locate(address, field === undefined ? [] : [field]);
}

/** The variable or module that a refused value comes from, and where it is declared; undefined when it comes from none. */
function originOf(refused: Refused, { locate, locateVariable }: Places): string | undefined {
  const [, from, name = ""] = /\$\{(env|var):([^}]*)\}/.exec(refused.why) ?? [];
  if (from === undefined) return moduleOrigin(refused, placeOfRefused(refused, locate));
  return from === "env"
    ? `the environment variable ${name}`
    : `the variable ${name}${placeSuffix(locateVariable?.(name))}`;
}

/** The place in a module, which is there for all of its instances, and the use that makes this one; undefined elsewhere. */
function moduleOrigin({ field }: Refused, at: Position | undefined): string | undefined {
  const [use] = at?.used ?? [];
  if (at === undefined || use === undefined) return undefined;
  const what = field ?? "it";
  return `${what} for this instance under with or patch in the use at ${use.file}:${use.line}, or for all instances at ${at.file}:${at.line}`;
}

/** The advice about a refusal, for a person who looks at the drift. */
export function refusedByHand(refused: Refused, places: Places): ByHand {
  const { why, ...of } = refused;
  const origin = originOf(refused, places);
  return { ...of, what: origin === undefined ? why : `change ${origin}` };
}

/** The spelling of values for a reader, by the fields of their kinds. */
export interface Spelling {
  readonly kinds: readonly AnyKind[];
  /** A value on one line, as the report writes it. */
  readonly inlineValue: (value: Json | undefined) => string;
}

/** A live value as a program has it; undefined for none. */
function inProgram(kind: string, { field, after }: DriftedObject["fields"][number], by: Spelling): string | undefined {
  if (after === undefined || after === null) return undefined;
  if (isContentMark(after)) return "the text that it has at the service";
  const spelled = spellValue(kindsByName(by.kinds).get(kind)?.fields[field], after);
  return by.inlineValue(JSON.parse(escaped(JSON.stringify(spelled))) as Json);
}

/** The edit of a program that declares the live values. */
export function programByHand(object: DriftedObject, { locate }: Places, by: Spelling): readonly ByHand[] {
  const { action, address, fields } = object;
  if (action === "delete") return [{ address, what: `remove it from the program${placeSuffix(locate(address))}` }];
  return fields
    .filter(({ sensitive }) => !sensitive)
    .map((each) => {
      const value = inProgram(object.kind, each, by);
      const edit = value === undefined ? "take it out of" : `write ${value} in`;
      const { field } = each;
      return { address, field, what: `${edit} the program${placeSuffix(locate(address, [field]))}` };
    });
}

/** A pattern to which nothing that drifted belongs. */
export function nothingDrifted(pattern: string, { drifted }: Drift): Diagnostic {
  const addresses = drifted.map(({ address }) => address);
  const detail =
    addresses.length === 0
      ? "Nothing drifted, so there is nothing to accept"
      : `Name an address or glob of something that drifted: ${addresses.slice(0, 5).join(", ")}.${didYouMean(pattern, addresses)}`;
  return { severity: "error", code: "LF3007", summary: `--accept ${pattern} matches nothing that drifted`, detail };
}

/** An object that appeared outside has nothing in the files that could be changed. */
export function notDeclared({ address, id, kind }: DriftedObject): Diagnostic {
  const detail = `Nobody declared ${kind}#${id}, and an object above it says unmanaged: delete; only declared objects can be accepted. To keep it, declare it: loadform import writes the declaration`;
  return { severity: "error", code: "LF3016", summary: `${address} is not accepted`, detail, address };
}

/** The edits that the author of a program has to make. */
export function changesByHand(chosen: readonly DriftedObject[], locate: Locate, by: Spelling): readonly Diagnostic[] {
  return chosen.flatMap((object) =>
    object.action === "delete"
      ? [byHand(object.address, "Take it out of the program: it was deleted at the service", locate(object.address))]
      : object.fields.map((each) => {
          const value = inProgram(object.kind, each, by);
          const edit = value === undefined ? `Take ${each.field} out` : `Set ${each.field} to ${value}`;
          return byHand(object.address, edit, locate(object.address));
        }),
  );
}

function byHand(address: string, what: string, place: ReturnType<Locate>): Diagnostic {
  const detail = `loadform does not rewrite a program. ${what}. Nothing was written`;
  return { ...errorOf("LF3016", `${address} must be changed by hand`, detail), address, ...place };
}

/** The changes that a plan of the edited files would still make. */
export function unproven(still: readonly string[], broken: readonly string[]): readonly Diagnostic[] {
  const remaining = still.length === 0 ? [] : [`${still.slice(0, 10).join(", ")} would still differ`];
  const others =
    broken.length === 0
      ? []
      : [`${broken.slice(0, 10).join(", ")} would change, too, because it shares what is written there`];
  if (remaining.length + others.length === 0) return [];
  const detail = `With the live values in the files, ${[...remaining, ...others].join("; ")}. Only what is accepted may change: write it by hand. Nothing was written`;
  return [{ severity: "error", code: "LF3017", summary: "the live values could not be accepted", detail }];
}
