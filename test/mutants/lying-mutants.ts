import { type Mutant, mutantsOf } from "./mutant.ts";

const lying = (test: string): Mutant["by"] => ["apply/lying-answers.test.ts", test];

/** What answers of success and of absence are not believed (docs/engine.md, Retries). */
export const lyingMutants: readonly Mutant[] = [
  ...mutantsOf("removeUntilGone", [
    [
      "a lasting 404 is believed",
      "if (!wasTaken) throw",
      "if (!detail) throw",
      lying("of an object that is missing by its id"),
    ],
  ]),
  ...mutantsOf("runDelete", [
    [
      "what is inline is forgotten",
      "if (former !== undefined) context.deleted",
      "if (former !== undefined && each === address) context.deleted",
      lying("that did nothing leaves all bound"),
    ],
  ]),
  ...mutantsOf("doubtSecrets", [
    ["the fingerprint remains", 'isSent(path) ? "" : known', "known", lying("whose write was not answered")],
  ]),
  ...mutantsOf("rereadWrite", [
    [
      "whatever is there is what was sent",
      "return isDone ? found : undefined",
      "return found",
      lying("has failed where the object shows"),
    ],
  ]),
  ...mutantsOf("stepAfter", [
    ["no update is looked at", 'safety === "put"', 'safety === "patch"', lying("is done where the object shows")],
  ]),
  ...mutantsOf("wholeDownload", [
    ["any length is believed", "size === bytes.length", "size !== undefined", lying("that is a part of it")],
  ]),
];
