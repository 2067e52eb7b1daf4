import { choice, type Field, flag, group, map, oneOrMore, scalar, text } from "../model/field.ts";
import type { JsonObject } from "../model/json.ts";

/** null gives nothing, as where a patch removes a value: the default counts. */
const parameterValue = oneOrMore(scalar({ description: "A value." }), {
  description: "A value, or a list of values.",
  nullable: true,
});

const patch: Field = {
  type: "map",
  required: false,
  description: "What differs in the module's document here (JSON merge patch).",
};

/** Instances of modules (docs/modules.md). */
export const useField = map(
  group(
    {
      module: text({
        description: "The module's file, relative to the file that this is written in.",
        required: true,
        trim: true,
        examples: ["modules/api-test.yaml"],
      }),
      with: map(parameterValue, { description: "Values of the module's parameters." }),
      forEach: map(map(parameterValue, { description: "Values of the parameters of one instance." }), {
        description: "Several instances: the values of each by its key. They win over `with`.",
        keyed: true,
      }),
      patch,
    },
    { description: "A module that is used." },
  ),
  {
    description:
      "Modules that are used, by instance: the test cases of each become `<instance>-<key>`. With `forEach` the keys there are the instances.",
    keyed: true,
  },
);

/** Parameters of a module (docs/modules.md). */
export const parametersField = map(
  group(
    {
      type: choice(["string", "number", "boolean", "list"], {
        description: "Type of the value. Default: that of `default`, else string.",
      }),
      default: oneOrMore(scalar({ description: "A value." }), {
        description: "Value where a `use` gives none. Without it a `use` has to give one.",
      }),
      required: flag({
        description:
          "true: every `use` gives a value, also beside a default; false: without a default it may be left out.",
      }),
      description: text({ description: "What it is for." }),
    },
    { description: "A parameter." },
  ),
  { description: `Values used as \`\${param:NAME}\`, given by the \`with\` of a \`use\`.`, keyed: true },
);

/** The type of a declared parameter: as it is written, else that of its default. */
export function parameterType({ type, default: fallback = null }: JsonObject): string {
  if (typeof type === "string") return type;
  return Array.isArray(fallback) ? "list" : fallback === null ? "string" : typeof fallback;
}

/** True for a parameter that every `use` has to give a value. */
export function needsValue({ default: fallback = null, required }: JsonObject): boolean {
  return required === true || (fallback === null && required !== false);
}
