import type { Workspace } from "../workspace/workspace.ts";

/** Parsed files of the last run, as JSON text by content hash. */
export interface ParseCache {
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces what is kept; failing to keep it must not fail the command. */
  write(parsed: ReadonlyMap<string, string>): Promise<void>;
}

const path = ".loadform/cache/parsed";

/** Raised whenever the JSON of a parsed file changes for the same text. */
const format = "loadform-parsed/1";

/** One file in the project folder: a line per parsed file, `hash JSON`. It holds only what the last run used. */
export function projectCache(workspace: Workspace): ParseCache {
  return {
    async read() {
      try {
        return readLines(await workspace.readText(path));
      } catch {
        return new Map();
      }
    },
    async write(parsed) {
      const lines = [...parsed].map(([hash, json]) => `${hash} ${json}\n`);
      try {
        await workspace.writeAtomic(path, `${format}\n${lines.join("")}`);
      } catch {
        return;
      }
    },
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
