import type { Diagnostic } from "../../model/diagnostic.ts";
import type { WatchedProject } from "../watched-project.ts";
import { isQueueUrl } from "./queue-session.ts";

/** Reasons why these projects cannot be shared through a queue; the connection string is in none of them. */
export function queueProblems(url: string, projects: readonly WatchedProject[]): readonly Diagnostic[] {
  const folders = projects.filter(({ source }) => source.is === "dir").map(({ name }) => name);
  return [
    ...(isQueueUrl(url) ? [] : [queueRefusal("the queue is not the address of a PostgreSQL database", badUrl(url))]),
    ...folders.map((name) =>
      queueRefusal(
        `the project ${name} is a folder of this machine, which other workers of the queue do not have`,
        "Watch it from git, with git: { url, branch, path }, or watch without a queue",
      ),
    ),
  ];
}

function badUrl(url: string): string {
  const found = url === "" ? "is empty, perhaps from a variable that is set to nothing; it" : "(not shown)";
  return `The value ${found} must be postgres://USER:PASSWORD@HOST/DATABASE, in $LOADFORM_QUEUE or as queue: "\${env:NAME}"`;
}

function queueRefusal(summary: string, detail: string): Diagnostic {
  return { severity: "error", code: "LF8006", summary, detail };
}
