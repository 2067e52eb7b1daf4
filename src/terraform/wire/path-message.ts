import type { AttributePath, AttributePath_Step } from "../../../gen/tfplugin6.js";
import type { Path, PathStep } from "../provider-session.ts";
import type { CtyType } from "./values.ts";

/** A path into a value of a type as the protocol says it: a text is an attribute's name in an object, a key in a map. */
export function pathMessage(path: Path, type: CtyType): AttributePath {
  let within: CtyType | undefined = type;
  const steps: AttributePath_Step[] = [];
  for (const step of path) {
    steps.push(stepMessage(step, within));
    within = partType(within, step);
  }
  return { steps };
}

/** A path as a user writes it: recurrence[0].days. */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function stepMessage(step: PathStep, within: CtyType | undefined): AttributePath_Step {
  if (typeof step === "number") return { selector: { $case: "elementKeyInt", elementKeyInt: step } };
  if (within?.[0] === "map") return { selector: { $case: "elementKeyString", elementKeyString: step } };
  return { selector: { $case: "attributeName", attributeName: step } };
}

function partType(type: CtyType | undefined, step: PathStep): CtyType | undefined {
  if (type === undefined || typeof type === "string") return undefined;
  return type[0] === "object" ? type[1][String(step)] : type[1];
}
