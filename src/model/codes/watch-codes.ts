import type { CodeText } from "./file-codes.ts";

/** Codes of a watcher: LF8. */
export const watchCodes = {
  LF8001: {
    title: "repository not usable",
    text: "The branch of a watched project could not be fetched, it is not there any more, it has nothing at the path, or what is there is larger than 100 MB. git's own words are in the message, without credentials.",
  },
  LF8002: {
    title: "another service than the target",
    text: "A watched project may speak to the service that its `target` names and to no other. Its files name another one, so nothing was asked of either.",
  },
  LF8003: {
    title: "not for a project from git",
    text: "A program (`loadform.config.ts`, `cdktf.json`) of a repository would run on the watcher's machine, so it needs `allowPrograms: true`.",
  },
  LF8004: {
    title: "check ended early",
    text: "The process of a check took longer than `timeoutSecs`, said more than a check can say, or ended before it had a result. It was ended with everything that it started; other projects do not notice.",
  },
  LF8005: {
    title: "left out of the checkout",
    text: "Symbolic links and submodules of a repository are not followed: their files are not there for the project.",
  },
  LF8006: {
    title: "not for a queue",
    text: "Workers share projects from git through a PostgreSQL database (`--queue`, `queue:`). A folder of one machine is not there on the others, and the connection string must be one of PostgreSQL; it is never shown.",
  },
  LF8007: {
    title: "state in a checkout",
    text: "A state in the checkout would be lost with it, so a project from git needs a remote one. A watcher that never checked the project before ends with exit code 1; where a later commit brings such a state, the project is `failed` and the others are checked as before.",
  },
} as const satisfies Readonly<Record<string, CodeText>>;
