import { type Mutant, mutantsOf } from "./mutant.ts";

const against = "project/snapshots/plan-against.test.ts";

/** What keeps secrets out of a snapshot, and a plan against it from being taken for a live one. */
export const snapshotMutants: readonly Mutant[] = [
  ...mutantsOf("boundObject", [
    [
      "a live secret is open",
      "mustHide(value, path) ? hiddenMark(asApplied(value, path)) : undefined",
      "mustHide(value, path) ? asApplied(value, path) && undefined : undefined",
      [against, "the snapshot has bindings and no secret in it"],
    ],
  ]),
  ...mutantsOf("snapshot/otherObject", [
    [
      "a name with a secret is open",
      '&& !input.hides(fields["name"])',
      "",
      ["snapshot/make-snapshot.test.ts", "a name or reference with a secret in it is left out"],
    ],
    [
      "every fact is shown",
      "isDecisive(kind, name, value)",
      "isDecisive(kind, name, value) || name !== ''",
      ["snapshot/make-snapshot.test.ts", "only those are shown that decide something"],
    ],
  ]),
  ...mutantsOf("snapshot/hiddenValue", [
    [
      "the text beside a secret is not compared",
      "known !== sourceHash(source, hash)",
      "known === sourceHash(source, hash) && known === undefined",
      [against, "what changes in a text beside a secret is a change"],
    ],
  ]),
  ...mutantsOf("openFields", [
    [
      "what nobody declared is shown",
      "hiddenMark(false)",
      "value",
      [against, "what somebody wrote where nobody declares anything is not in a snapshot"],
    ],
  ]),
  ...mutantsOf("refuseOther", [
    [
      "another project's is taken",
      "if (found.length > 0) throw",
      "if (found.length > 9) throw",
      [against, "a snapshot of another project makes no plan"],
    ],
  ]),
  ...mutantsOf("whyUnknown", [
    [
      "a delete has a digest",
      "if (ending) return",
      "if (ending && tree.nodes.size < 0) return",
      [against, "a plan that deletes has no digest"],
    ],
  ]),
  ...mutantsOf("whyNoDigest", [
    [
      "an undecided value has a digest",
      "const hidden = first && `",
      "const hidden = undefined && `",
      [against, "a value that the snapshot hides and the project shows has no digest"],
    ],
  ]),
];
