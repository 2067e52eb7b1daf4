import type { JsonObject } from "../model/json.ts";
import { cleanLine, counted } from "./clean-text.ts";

/** What an acceptance wrote into a project's files. */
export interface AcceptedParts {
  readonly fields: readonly { readonly address: string; readonly field: string; readonly file: string }[];
  readonly removed: readonly { readonly address: string; readonly file: string }[];
  /** Values that others had from what was accepted, written out in them. */
  readonly kept: readonly { readonly address: string; readonly field: string; readonly file: string }[];
  readonly files: readonly string[];
  readonly otherEnvironments: readonly string[];
}

/** What was accepted, as a person reads it. */
export function acceptedText({ fields, removed, kept, files, otherEnvironments }: AcceptedParts): string {
  const lines = [
    `Accepted into ${counted(files.length, "file")}, proved by a plan:`,
    ...fields.map(({ address, field, file }) => `  ~ ${address} ${field} in ${file}`),
    ...removed.map(({ address, file }) => `  - ${address} taken out of ${file}: it is deleted at the service`),
    ...kept.map(
      ({ address, field, file }) =>
        `  = ${address} ${field} written out in ${file}: it was shared with what is accepted`,
    ),
    ...(otherEnvironments.length === 0
      ? []
      : [`  ! other environments read the same files (${otherEnvironments.join(", ")}): plan them with --env too`]),
  ];
  return `${lines.map((line) => cleanLine(line)).join("\n")}\n`;
}

/** The same for a program. */
export function acceptedJson({ fields, removed, kept, files, otherEnvironments }: AcceptedParts): JsonObject {
  return {
    fields: fields.map(({ address, field, file }) => ({ address, field, file })),
    removed: removed.map(({ address, file }) => ({ address, file })),
    kept: kept.map(({ address, field, file }) => ({ address, field, file })),
    files: [...files],
    otherEnvironments: [...otherEnvironments],
  };
}
