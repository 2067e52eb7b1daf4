import type { Diagnostic } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { withTemporaryFolder } from "../../workspace/temporary-folder.ts";
import { stackPosition, type Workspace } from "../../workspace/workspace.ts";
import { members, wayOut } from "./blocks.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { type RunApp, runApp } from "./run-app.ts";

/** The place of a project's program, and the environment that it is run with. */
export interface SynthesisInput {
  readonly workspace: Workspace;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Runs the program; a shell by default. */
  readonly runApp?: RunApp;
}

/** A stack that a program wrote. */
interface Stack {
  readonly name: string;
  readonly file: JsonFile;
}

/** The one stack of a program that is about loadform, or why there is none; warnings of the program come with either. */
export interface Synthesized {
  readonly stack: Stack | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs `app` of cdktf.json in a shell as the tools of cdktf do, into a folder of its own: no stale stacks. */
export async function synthesize(cdktfFile: string, input: SynthesisInput): Promise<Synthesized> {
  const { workspace, env = {}, runApp: run = runApp } = input;
  const settings = await readJsonFile(workspace, cdktfFile);
  if (!("value" in settings)) return failure(settings);
  const { app, context, targetVersions } = settings.value;
  if (typeof app !== "string" || app.trim() === "") return failure(noApp(cdktfFile));
  return withTemporaryFolder(async (folder) => {
    const shared = { ...(isObject(context) && context), ...(targetVersions !== undefined && { targetVersions }) };
    const own = { CDKTF_OUTDIR: folder, CDKTF_CONTEXT_JSON: JSON.stringify(shared) };
    const { code, lastLines } = await run({ app, cwd: workspace.root, env: { ...env, ...own } });
    if (code !== 0) return failure({ ...appFailed(app, code, lastLines), file: cdktfFile });
    return readStacks(diskWorkspace(folder), { root: workspace.root, file: cdktfFile });
  });
}

function failure(diagnostic: Diagnostic): Synthesized {
  return { stack: undefined, diagnostics: [diagnostic] };
}

interface Program {
  readonly root: string;
  /** cdktf.json. */
  readonly file: string;
}

async function readStacks(folder: Workspace, { root, file: cdktfFile }: Program): Promise<Synthesized> {
  const manifest = (await folder.exists("manifest.json")) ? await readJsonFile(folder, "manifest.json") : undefined;
  if (manifest === undefined) return failure({ ...noManifest(), file: cdktfFile });
  if (!("value" in manifest)) return failure(manifest);
  const stacks = members(manifest.value["stacks"]).flatMap(([name, stack]) =>
    isObject(stack) ? [{ name, stack }] : [],
  );
  const diagnostics = stacks.flatMap(({ stack }) => annotations(stack, root));
  const read = await Promise.all(
    stacks.map(async ({ name, stack }) => ({
      name,
      file: await readJsonFile(folder, String(stack["synthesizedStackPath"])),
    })),
  );
  const broken = read.flatMap(({ file }) => ("value" in file ? [] : [file]));
  const usable = read.flatMap(({ name, file }) => ("value" in file ? [{ name, file }] : []));
  if (broken.length > 0) return { stack: undefined, diagnostics: [...diagnostics, ...broken] };
  const [stack, ...more] = ofLoadform(usable);
  if (stack === undefined) return { stack, diagnostics: [...diagnostics, { ...noStack(usable), file: cdktfFile }] };
  if (more.length === 0) return { stack, diagnostics };
  const several = { ...severalStacks([stack, ...more]), file: cdktfFile };
  return { stack: undefined, diagnostics: [...diagnostics, several] };
}

/** Stacks with resources of loadform; where there are none, those that are about its service. */
function ofLoadform(stacks: readonly Stack[]): readonly Stack[] {
  const holds = (name: string, prefix: string) =>
    stacks.filter(({ file }) => members(file.value[name]).some(([each]) => each.startsWith(prefix)));
  const found = holds("resource", "loadform_");
  return found.length > 0 ? found : holds("provider", "loadform");
}

/** Messages of a program about its constructs: warnings and errors, with the lines that say it. */
function annotations(stack: JsonObject, root: string): readonly Diagnostic[] {
  const all: readonly Json[] = Array.isArray(stack["annotations"]) ? stack["annotations"] : [];
  return all.filter(isObject).flatMap(({ level, message, constructPath, stacktrace }): Diagnostic[] => {
    const severity = /\/error$/.test(String(level)) ? "error" : /\/warn$/.test(String(level)) ? "warning" : undefined;
    if (severity === undefined) return [];
    const place = stackPosition(Array.isArray(stacktrace) ? stacktrace.join("\n") : "", root);
    const summary = `${String(message)}`;
    const detail = `The program reports this for the construct ${String(constructPath)}`;
    return [{ severity, code: "LF1010", summary, detail, ...place }];
  });
}

function noApp(file: string): Diagnostic {
  const detail = `${file} needs app, the command that synthesizes, e.g. "app": "node main.js"`;
  return { severity: "error", code: "LF1010", summary: "app is missing", detail, file };
}

function appFailed(app: string, code: number | undefined, lastLines: readonly string[]): Diagnostic {
  const how = code === undefined ? "could not be run or was stopped" : `ended with exit code ${code}`;
  const said =
    lastLines.length === 0
      ? " It printed nothing."
      : ` Its last lines:\n${lastLines.map((line) => `  ${line}`).join("\n")}`;
  const detail = `\`${app}\` ${how}, so nothing was synthesized.${said}`;
  return { severity: "error", code: "LF1010", summary: "the program of cdktf.json failed", detail };
}

function noManifest(): Diagnostic {
  const detail =
    "The command of app ended and left no manifest.json in $CDKTF_OUTDIR. The program must call app.synth()";
  return { severity: "error", code: "LF1010", summary: "nothing was synthesized", detail };
}

function noStack(stacks: readonly Stack[]): Diagnostic {
  const names = stacks.map(({ name }) => name).join(", ");
  const detail = `The program wrote ${names === "" ? "no stack" : `no resource of loadform in ${names}`}. One stack must have some`;
  return { severity: "error", code: "LF1010", summary: "no stack has resources of loadform", detail };
}

function severalStacks(stacks: readonly Stack[]): Diagnostic {
  const names = stacks.map(({ name }) => name).join(", ");
  const detail = `A project is one stack, and there are resources of loadform in ${names}. Write the others with programs of their own, or ${wayOut}`;
  return { severity: "error", code: "LF1010", summary: "several stacks have resources of loadform", detail };
}
