import type { startRoutes } from "../../api/starting.ts";
import {
  type BuiltIn,
  type Call,
  type Handlers,
  RawReply,
  type Reply,
  type Upload,
  WaitingReply,
} from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { startRun } from "../executions/start-run.ts";
import { isZip } from "../start/scenario-files.ts";
import { setUpRun } from "../start/set-up-run.ts";
import { type Unzipped, unzipUpload } from "../start/unzip-upload.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";

/** API 2, Starting a run: the form routes. */
export const startHandlers: Handlers<BuiltIn<typeof startRoutes>> = {
  "POST /start": (call) => unzipped(call, (zips, scope) => startFromForm(call, zips, scope)),
  // DECISION (API 2, POST /setup: parameters not shown): it takes the form of POST /start; what only a run needs is checked and not kept.
  "POST /setup": (call) => unzipped(call, (zips, scope) => idsOf(setUpRun(call, zips, scope).configuration)),
};

type FormCall = Pick<Call<"POST /start">, "texts" | "uploads" | "headers" | "scope">;
type Zips = ReadonlyMap<string, Unzipped>;

function startFromForm(call: FormCall, zips: Zips, scope: Scope): Reply {
  const order = (current: Scope) => {
    const { configuration, params, options } = setUpRun(call, zips, current);
    return { configuration, given: params, options };
  };
  const view = ({ id, configurationId }: ExecutionRecord, { store }: Scope): Reply => {
    if (!acceptsJson(call.headers.get("accept") ?? "")) return new RawReply(String(id), "text/plain; charset=utf-8");
    const configuration = store.get("configuration", configurationId);
    return { executionId: id, ...(configuration && idsOf(configuration)) };
  };
  return startRun({ headers: call.headers, order, view }, scope);
}

/** Unpacks what is zipped, then continues. */
function unzipped({ uploads, scope }: FormCall, reply: (zips: Zips, scope: Scope) => Reply): Reply {
  const zips = uploads.filter(({ fileName }) => isZip(fileName));
  if (zips.length === 0) return reply(new Map(), scope);
  return WaitingReply.of(() => unzipAll(zips, scope.settings.bodyLimit), reply);
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

function idsOf({ id, testCaseId, scriptId }: ConfigurationRecord) {
  return { testCaseId, confId: id, scriptId };
}
