import { thrownWords } from "../../model/diagnostic.ts";
import { isSameService } from "../../model/target.ts";
import { readableValue } from "../../report/readable-value.ts";
import { readSnapshot, unusable } from "../../snapshot/read-snapshot.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { readTextFile } from "../../workspace/disk-workspace.ts";
import { fileSize, pathExists } from "../../workspace/path-exists.ts";
import type { LoadedProject } from "../open-project.ts";

/** The largest file that is read: its text, its values and the two sides made of them are in memory together. */
const mostBytes = 200_000_000;

/** Reads the snapshot at a path; `file` is its name in messages. */
export async function openSnapshot(path: string, file: string): Promise<Snapshot> {
  if (!(await pathExists(path))) throw unusable(`there is no file ${file}: check the path`);
  const size = await fileSize(path);
  if (size > mostBytes)
    throw unusable(`${file} has ${Math.ceil(size / 1_000_000)} MB; expected at most ${mostBytes / 1_000_000} MB`);
  const text = await readTextFile(path).catch((cause: unknown) => {
    throw unusable(`${file}: ${thrownWords(cause)}`);
  });
  return readSnapshot(text, file);
}

/** Refuses a snapshot of another project, environment or target, which has other objects. */
export function refuseOther(snapshot: Snapshot, project: LoadedProject, file: string): void {
  const { target, organization } = snapshot;
  const { url, organization: declared } = project.service;
  const pairs: readonly (readonly [string, string, string])[] = [
    ["project", snapshot.project, project.name],
    ["environment", snapshot.environment ?? "(none)", project.environment ?? "(none)"],
    ...(isSameService(target.url, String(readableValue(url))) ? [] : ([["service", target.url, url]] as const)),
    ...(declared === undefined || declared === organization || declared === target.organization
      ? []
      : ([["organization", String(organization ?? target.organization), String(declared)]] as const)),
  ];
  const found = pairs
    .filter(([, taken, own]) => taken !== own)
    .map(([what, taken, own]) => `${what} ${taken}, not ${own}`);
  if (found.length > 0) throw unusable(`${file} is of ${found.join("; ")}`);
}
