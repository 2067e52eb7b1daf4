import type { startRoutes } from "../../api/starting.ts";
import type { BuiltIn, Call, Handlers, Reply, Upload } from "../core/handlers.ts";
import { RawReply, WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { makeExecution } from "../rules/make-execution.ts";
import { isZip } from "../start/scenario-files.ts";
import type { SetUpRun } from "../start/set-up-run.ts";
import { setUpRun } from "../start/set-up-run.ts";
import type { Unzipped } from "../start/unzip-upload.ts";
import { unzipUpload } from "../start/unzip-upload.ts";

/** API 2, Starting a run: the form routes. */
export const startHandlers: Handlers<BuiltIn<typeof startRoutes>> = {
  "POST /start": (call) =>
    setUp(call, (run, scope) => {
      const { id } = makeExecution(run.configuration, run.params, { ...scope, options: run.options });
      if (!acceptsJson(call.accept)) return new RawReply(String(id), "text/plain; charset=utf-8");
      return { executionId: id, ...idsOf(run) };
    }),
  // DECISION (API 2, POST /setup: parameters not shown): it takes the form of POST /start; what only a run needs is checked and not kept.
  "POST /setup": (call) => setUp(call, idsOf),
};

type FormCall = Pick<Call<"POST /start">, "texts" | "uploads" | "scope">;

/** Unpacks what is zipped, then sets the run up. */
function setUp(form: FormCall, reply: (run: SetUpRun, scope: Scope) => Reply): Reply {
  const { uploads, scope } = form;
  const zips = uploads.filter(({ fileName }) => isZip(fileName));
  if (zips.length === 0) return reply(setUpRun(form, new Map(), scope), scope);
  return WaitingReply.of(
    () => unzipAll(zips, scope.settings.bodyLimit),
    (unzipped, later) => reply(setUpRun(form, unzipped, later), later),
  );
}

/** All of them together have one bound. */
async function unzipAll(zips: readonly Upload[], mostBytes: number): Promise<ReadonlyMap<string, Unzipped>> {
  const unzipped = new Map<string, Unzipped>();
  let left = mostBytes;
  for (const { field, bytes } of zips) {
    const content = await unzipUpload(bytes, left);
    unzipped.set(field, content);
    if ("files" in content) left -= content.files.reduce((sum, file) => sum + file.bytes.length, 0);
  }
  return unzipped;
}

/** DECISION (API 2, POST /start: response not shown): JSON for a caller whose Accept names application/json, else the bare id. */
function acceptsJson(accept: string): boolean {
  return /\bapplication\/(json|[\w.-]+\+json)\b/i.test(accept);
}

function idsOf({ testCase, configuration, scenario }: SetUpRun) {
  return { testCaseId: testCase.id, confId: configuration.id, scriptId: scenario.id };
}
