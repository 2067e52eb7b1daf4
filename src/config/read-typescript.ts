import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { createRequire } from "node:module";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type DocumentPlace, declarationError, warningOf } from "../model/diagnostic.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { stackPosition } from "../workspace/workspace.ts";
import { type EntryDocument, type EntryInput, emptyEntry, type LoadModule } from "./entry-document.ts";
import { programProblem } from "./program-problem.ts";

/** The result of an App (src/constructs): the document that YAML would hold, and the places where its objects were created. */
interface ProjectDocument {
  readonly document: JsonObject;
  /** Errors with the stack of the constructor, by document path, joined by `/`; that of the App has none. */
  readonly stacks: ReadonlyMap<string, Error>;
}

/** Imports the TypeScript entry and takes the document of its App. */
export async function readTypeScript(file: string, input: EntryInput): Promise<EntryDocument> {
  const { workspace } = input;
  const path = `${workspace.root}/${file}`;
  const load = input.loadModule ?? (await loader(input));
  try {
    const { made: module, isLate } = await alone(() =>
      inEnvironment(input.environment, () => toItsEnd(() => load(path))),
    );
    const app = defaultExport(module);
    if (app === undefined) return emptyEntry(noApp(file), "typescript");
    const made = app.toDocument();
    const text = JSON.stringify(made.document);
    const document = JSON.parse(text) as JsonObject;
    // The line that made the object that a place is in, or the App.
    const locate = ({ path: steps }: DocumentPlace) =>
      stackPosition(made.stacks.get(steps.join("/"))?.stack ?? "", workspace.root) ??
      (steps.length === 0 ? { file, line: 1, column: 1 } : undefined);
    return {
      language: "typescript",
      document,
      sources: [{ locate }],
      texts: [text],
      diagnostics: isLate ? [neverEnds(file)] : [],
      complete: true,
      parsed: undefined,
    };
  } catch (error) {
    // The problems of an App, one by one.
    const isOurs = error instanceof AggregateError && error.name === declarationError;
    const errors: readonly unknown[] = isOurs ? error.errors : [error];
    const problems = await Promise.all(errors.map((each) => programProblem(each, { file, workspace })));
    const diagnostics = problems.map((each) => ({ line: 1, column: 1, ...each }));
    return { ...emptyEntry(noApp(file), "typescript"), diagnostics };
  }
}

let before: Promise<unknown> = Promise.resolve();

/** One program after the other, for they share this process: its environment, its end, its errors. */
function alone<T>(run: () => Promise<T>): Promise<T> {
  const mine = before.then(run);
  before = mine.catch(() => undefined);
  return mine;
}

/** Runs a program with $LOADFORM_ENV as the command names it, since an App reads its environment from there. */
async function inEnvironment<T>(asked: string | undefined, run: () => Promise<T>): Promise<T> {
  const { LOADFORM_ENV: former } = process.env;
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env["LOADFORM_ENV"];
    else process.env["LOADFORM_ENV"] = value;
  };
  set(asked);
  try {
    return await run();
  } finally {
    set(former);
  }
}

/**
 * Runs a program that shares this process until nothing is under way that it began, as it would run in one of its own; one that does
 * not end is late. What would end the process, or happens where nobody waits for it, fails the program.
 */
async function toItsEnd<T>(run: () => Promise<T>): Promise<{ readonly made: T; readonly isLate: boolean }> {
  const { exit } = process;
  const work = followWork();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const waitsForNothing = () => fail(misbehaved("It waits for a promise that nothing settles any more"));
  process.once("beforeExit", waitsForNothing);
  // Only one may be set, and in a program that embeds loadform it is that program's.
  const isFree = !process.hasUncaughtExceptionCaptureCallback();
  if (isFree) process.setUncaughtExceptionCaptureCallback(fail);
  process.exit = () => {
    const error = misbehaved("It calls process.exit, which would end loadform before anything is done: remove it");
    fail(error);
    throw error;
  };
  try {
    const ended = work.within(run).then(async (made) => {
      const until = performance.now() + patienceMs;
      // Files are opened, and rejections that nobody waits for reported, only after the turn in which that was asked for or happened.
      for (await nextTurn(); work.isUnderWay() && performance.now() < until; ) await sleep(pollMs);
      return { made, isLate: work.isUnderWay() };
    });
    return await Promise.race([ended.finally(nextTurn), failed.finally(nextTurn)]);
  } finally {
    work.stop();
    process.exit = exit;
    if (isFree) process.setUncaughtExceptionCaptureCallback(null);
    process.off("beforeExit", waitsForNothing);
  }
}

/** Milliseconds that a program has after its last line to end what it began, and between two looks at that. */
const patienceMs = 5000;
const pollMs = 10;

function neverEnds(file: string) {
  const detail = `It was still at work ${patienceMs / 1000} s after its last line, and what it makes later is not part of the project. Write await before what it starts, and end its timers, connections and processes`;
  return { ...warningOf("LF1006", "the program does not end", detail), file, line: 1, column: 1 };
}

/** A thing that keeps a process alive. A timer that is over, and a connection that nobody reads from, say so in members of their own. */
type Begun = { hasRef?(): boolean | undefined; reading?: boolean; _destroyed?: boolean; fd?: number };

/** True until it is closed; of the process's own streams, which their first use makes, only while they are read. */
function isStillOpen(each: Begun): boolean {
  const isWaiting = each.reading ?? !(each.fd !== undefined && each.fd >= 0 && each.fd <= 2);
  return isWaiting && !each._destroyed && (each.hasRef === undefined || each.hasRef() === true);
}

/** Follows what a program begins. */
function followWork() {
  const program = new AsyncLocalStorage<true>();
  const begun = new Map<number, Begun>();
  const hook = createHook({
    init(id, type, _, resource: Begun) {
      const isRequest = /^FSREQ|^FILEHANDLECLOSEREQ|^GETADDRINFO|CONNECTWRAP$/.test(type);
      if ((resource.hasRef ? type !== "UDPWRAP" : isRequest) && program.getStore()) begun.set(id, resource);
    },
    before(id) {
      // A request calls back once.
      if (begun.get(id)?.hasRef === undefined) begun.delete(id);
    },
  }).enable();
  return {
    within: <T>(run: () => Promise<T>) => program.run(true, run),
    isUnderWay: () => [...begun.values()].some(isStillOpen),
    stop() {
      hook.disable();
      program.disable();
      begun.clear();
    },
  };
}

function misbehaved(words: string): Error {
  return Object.assign(new Error(words), { name: declarationError });
}

async function loader({ cache, hash }: EntryInput): Promise<LoadModule> {
  const programs = cache?.programs;
  const known = (await programs?.read()) ?? new Map<string, string>();
  const used = new Map<string, string>();
  const transformed: Transformed = (source, transform) => {
    const key = hash(source);
    const text = known.get(key) ?? JSON.stringify(transform());
    used.set(key, text);
    return JSON.parse(text) as string;
  };
  return async (path) => {
    const module = await loadTypeScript(path, undefined, transformed);
    if ([...used].some(([key]) => !known.has(key))) await programs?.write(used);
    return module;
  };
}

function defaultExport(module: unknown): { toDocument(): ProjectDocument } | undefined {
  const exported: unknown = isObject(module) ? module.default : undefined;
  const app = isObject(exported) && !isApp(exported) ? exported.default : exported;
  return isApp(app) ? app : undefined;
}

function isApp(value: unknown): value is { toDocument(): ProjectDocument } {
  return isObject(value) && typeof value.toDocument === "function";
}

function noApp(file: string) {
  const detail = `${file} has no App as its default export. Write: export default app`;
  const place = { file, line: 1, column: 1 };
  return { severity: "error", code: "LF1006", summary: "no App is exported", detail, ...place } as const;
}

/** The code that a source is transformed to; `source` also has the options that it depends on. */
type Transformed = (source: string, transform: () => string) => string;

/**
 * Imports a TypeScript module through jiti. `loadform` in it means the running package, so that a project needs no
 * node_modules and shares its constructs with no other copy.
 */
export async function loadTypeScript(
  path: string,
  packageEntry = runningPackage(),
  transformed: Transformed = (_, transform) => transform(),
): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const options = { alias: { loadform: packageEntry }, fsCache: false, moduleCache: false, interopDefault: false };
  const plain = createJiti(path, options);
  const jiti = createJiti(path, {
    ...options,
    transform: (source) => ({ code: transformed(JSON.stringify(source), () => plain.transform(source)) }),
  });
  return jiti.import(path);
}

/** The package refers to itself by name: dist/index.js, whichever chunk this code is in. */
const runningPackage = () => createRequire(import.meta.url).resolve("loadform");
