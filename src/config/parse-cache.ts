import { userCache } from "../workspace/user-cache.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Parsed files of the last run, as JSON text by content hash. */
export interface ParseCache {
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces the content; a failure to write must not fail the command. */
  write(parsed: ReadonlyMap<string, string>): Promise<void>;
  /** The folder for transformed programs; without one they are transformed each time. */
  programs?(): Promise<string | undefined>;
}

/** Raised whenever the JSON of a parsed file changes for the same text. */
const format = "loadform-parsed/1";

/** One file in the user's cache: a line per parsed file, `hash JSON`. It holds only what the last run used. */
export function projectCache({ root }: Workspace, env: Readonly<Record<string, string | undefined>>): ParseCache {
  const cache = userCache(root, env);
  return {
    read: async () => readLines((await cache.read("parsed")) ?? ""),
    async write(parsed) {
      const lines = [...parsed].map(([hash, json]) => `${hash} ${json}\n`);
      await cache.write("parsed", `${format}\n${lines.join("")}`);
    },
    programs: () => cache.folder("typescript"),
  };
}

function readLines(text: string): ReadonlyMap<string, string> {
  const [first, ...lines] = text.split("\n");
  if (first !== format) return new Map();
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const cut = line.indexOf(" ");
      return cut > 0 ? [[line.slice(0, cut), line.slice(cut + 1)]] : [];
    }),
  );
}
