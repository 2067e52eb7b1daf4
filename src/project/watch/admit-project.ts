import type { Diagnostic } from "../../model/diagnostic.ts";
import { isSameService } from "../../model/target.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { cdktfFile, mainFile, programFile } from "../../workspace/workspace.ts";
import type { ProjectPlace } from "../connect.ts";

/** Why a project may not run its program; undefined where it has none, or may. */
export async function refusedProgram({ dir, allowPrograms }: CheckRequest): Promise<Diagnostic | undefined> {
  if (allowPrograms) return undefined;
  const workspace = diskWorkspace(dir);
  const isProgram = await workspace.exists(programFile);
  const isCdktf = !isProgram && !(await workspace.exists(mainFile)) && (await workspace.exists(cdktfFile));
  if (!isProgram && !isCdktf) return undefined;
  const detail = `The project has ${isProgram ? programFile : cdktfFile}, which would run on this machine with whatever is in the repository. If everybody who may push to it may do that, set allowPrograms: true for the project`;
  return { severity: "error", code: "LF8003", summary: "programs of a repository are not run", detail };
}

/** Why nothing is asked of a project's service: it is another one than the watcher may speak to. */
export function refusedService(
  { service }: Pick<ProjectPlace, "service">,
  { target }: CheckRequest,
): Diagnostic | undefined {
  if (target === undefined || isSameService(service.url, target)) return undefined;
  const detail = `The project's service is ${service.url}, and its target is ${target}: it was not asked anything. Set service.url to the target, or, if the service moved on purpose, set target to the new one`;
  return { severity: "error", code: "LF8002", summary: "the project names another service", detail };
}

/** Why the state of a checkout cannot be used: it would be lost with the folder, and the next check would create everything again. */
export function refusedState(
  { state }: Pick<ProjectPlace, "state">,
  { isCheckout }: CheckRequest,
): Diagnostic | undefined {
  if (!isCheckout || (state.backend !== "local" && state.backend !== "memory")) return undefined;
  const detail = `A project from git needs a state outside of its checkout, and this one is ${state.backend === "local" ? `the file ${state.path}` : "kept in memory"}. Give it one of the remote backends under state:`;
  return { severity: "error", code: "LF8007", summary: "the state would be lost with the checkout", detail };
}
