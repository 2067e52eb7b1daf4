import { userCache } from "../workspace/user-cache.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The texts parsed by the last run: a line of JSON for each, by the hash of its source. */
interface TextCache {
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces the content; a failure to write must not fail the command. */
  write(made: ReadonlyMap<string, string>): Promise<void>;
}

/** The parsed files of the last run. */
export interface ParseCache extends TextCache {
  /** Transformed programs; without them they are transformed each time. */
  readonly programs?: TextCache;
}

/** The parse cache of a project, in the user's cache folder. */
export function projectCache(
  { root }: Workspace,
  by: { readonly env: Readonly<Record<string, string | undefined>>; readonly program?: string | undefined },
): ParseCache | undefined {
  const { env, program } = by;
  if (program === undefined) return undefined;
  const cache = userCache(root, env);
  const file = (name: string): TextCache => ({
    read: async () => readLines((await cache.read(name)) ?? "", program),
    async write(made) {
      const lines = [...made].map(([hash, json]) => `${hash} ${json}\n`);
      await cache.write(name, `${program}\n${lines.join("")}`);
    },
  });
  return { ...file("parsed"), programs: file("programs") };
}

function readLines(text: string, program: string): ReadonlyMap<string, string> {
  const [first, ...lines] = text.split("\n");
  if (first !== program) return new Map();
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const cut = line.indexOf(" ");
      return cut > 0 ? [[line.slice(0, cut), line.slice(cut + 1)]] : [];
    }),
  );
}
