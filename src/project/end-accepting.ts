import type { Diagnostic } from "../model/diagnostic.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { endWriting, writingFile } from "../workspace/write-together.ts";

/** Ends a `drift --accept` that was killed between two files, and says so; every command that reads a project does it. */
export async function endAccepting(workspace: Workspace): Promise<readonly Diagnostic[]> {
  const left = await endWriting(workspace);
  if (left.is === "none") return [];
  const found = `found that an interrupted loadform drift --accept had written ${left.written.join(", ")}`;
  if (left.is === "ended") {
    const detail = `${found}; wrote ${left.added.join(", ")} too, so that all is as it was accepted. Version control shows the difference`;
    return [{ severity: "warning", code: "LF1009", summary: "an interrupted acceptance was ended", detail }];
  }
  const detail = `${found} and not ${left.left.join(", ")}, and that another file of it was edited since; expected all of it or nothing. Make the files what they are to be, and delete ${writingFile}`;
  return [{ severity: "error", code: "LF1009", summary: "an interrupted acceptance was edited", detail }];
}
