import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { DriftOutcome } from "../../project/drift-project.ts";
import { acceptedJson, driftDocument } from "../../report/drift-json.ts";
import { driftMarkdown } from "../../report/drift-markdown.ts";
import type { WaysOut } from "../../report/drift-text.ts";
import { acceptedText, driftText } from "../../report/drift-text.ts";
import { shellLine } from "../../report/terminal-text.ts";
import type { CommandInput } from "../command.ts";
import { linesToShow } from "./print-diagnostics.ts";
import { redactSecrets, secretHolders } from "./redact-output.ts";

/** Prints drift for a person. */
export function showDrift(input: CommandInput, { drift, planned, accepted }: DriftOutcome): void {
  const { terminal } = input;
  if (drift === undefined) return;
  const waysOut = waysOutOf(input);
  if (accepted) terminal.out(`${acceptedText(accepted, waysOut.putBack())}\n`);
  const { requests, contents } = planned;
  terminal.out(driftText(drift, { palette: terminal.outPalette, requests, contents, waysOut }));
}

/** The document of `drift --json`, but for its problems; undefined when nothing could be compared. */
export function driftDocumentOf({ drift, planned, accepted }: DriftOutcome, now: number): JsonObject | undefined {
  if (drift === undefined) return undefined;
  const { requests } = planned;
  const document = driftDocument(drift, { createdAt: new Date(now).toISOString(), requests, diagnostics: [] });
  return accepted === undefined ? document : { ...document, accepted: acceptedJson(accepted) };
}

/** The report for an issue. Its readers are unknown, so it is searched once more for every known secret. */
export function driftMarkdownOf(
  input: CommandInput,
  { drift, planned }: DriftOutcome,
  problems: readonly Diagnostic[],
): string {
  const { args, cwd, env, flags } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const folder = relative(cwd, root);
  const text = driftMarkdown(drift, {
    contents: planned.contents,
    identity: [folder === "" ? "." : folder, ...(flags.env === undefined ? [] : [flags.env])],
    problems,
    lineOf: linesToShow(problems, root),
    waysOut: waysOutOf(input),
  });
  return redactSecrets(env, secretHolders(planned))(text);
}

/** Both ways out as commands on the same project and environment. */
function waysOutOf({ args, flags }: CommandInput): WaysOut {
  const vars = Object.entries(flags.var ?? {}).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  const place = [...args, ...(flags.env === undefined ? [] : ["--env", flags.env]), ...vars];
  return {
    putBack: (address) =>
      shellLine(["loadform", "apply", ...place, ...(address === undefined ? [] : ["--target", address])]),
    declare: shellLine(["loadform", "import", ...place, "--all"]),
    accept: (address) => shellLine(["loadform", "drift", ...place, "--accept", address]),
  };
}
