import { type Mutant, mutantsOf } from "./mutant.ts";

/** What keeps secrets out of plans, states and messages. */
export const secretMutants: readonly Mutant[] = [
  ...mutantsOf("makeNode", [
    [
      "names of others are open",
      "withNames(expanded, names), fields",
      "expanded, fields",
      ["config/secret-values.test.ts", "the name of a tag that is referred to by its key"],
    ],
  ]),
  ...mutantsOf("reportFindings", [
    [
      "rules quote secrets",
      "detail: shown(detail) }",
      "detail }",
      ["e2e/typed-from-environment.test.ts", "HOUR=77 is refused"],
    ],
  ]),
  ...mutantsOf("needlesOf", [
    [
      "what is cut off is open",
      'const least = [...value].slice(0, Math.max(telling, commonLength(value) + 2)).join("");',
      "const least = value;",
      ["model/redact.test.ts", "takes out a secret as it is, also cut off"],
    ],
  ]),
  ...mutantsOf("keepSecrets", [
    [
      "a read tells secrets",
      "return told(await session.readResource(request));",
      "return session.readResource(request);",
      ["terraform/resource/secrets.test.ts", "do not appear in messages about another resource"],
    ],
  ]),
  ...mutantsOf("keepMasked", [
    [
      "an import reads no plain value",
      "if (marks.imported) return kept",
      "if (marks.imported && kind.name === '') return kept",
      ["terraform/resource/secrets.test.ts", "only the others are read by an import"],
    ],
  ]),
];
