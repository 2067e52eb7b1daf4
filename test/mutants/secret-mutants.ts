import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

/** What keeps secrets out of plans, states and messages. */
export const secretMutants: readonly Mutant[] = [
  ...mutantsOf("config/make-node.ts", [
    [
      "names of others are open",
      "withNames(expanded, names), fields",
      "expanded, fields",
      ["config/secrets.test.ts", "the name of a tag that is referred to by its key"],
    ],
  ]),
  ...mutantsOf("config/run-rules.ts", [
    [
      "rules quote secrets",
      "detail: `${shown(detail)} (",
      "detail: `${detail} (",
      ["cli/typed-from-environment.test.ts", "HOUR=77 is refused"],
    ],
  ]),
  ...mutantsOf("model/redact.ts", [
    [
      "what is cut off is open",
      "const least = leastOf(value);",
      "const least = value;",
      ["model/redact.test.ts", "takes out a secret as it is, also cut off"],
    ],
  ]),
];
