import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { repository } from "./source-files.ts";

/**
 * The vitest projects: `unit` is the loop before each commit, `engine` runs the in-process service or waits for a disk, a socket or a
 * clock, `slow` starts processes. `merge` is what only a merge needs: it proves again, through another store, process, page or package,
 * what a test of the others proves.
 */
export type TestProject = "unit" | "engine" | "slow" | "merge";

/** Rooms of tests that are slow whatever they load. */
const slowRooms = ["docs", "e2e", "mutants", "properties", "scripts"];
/** Rooms whose tests wait for a disk or a server, whatever they load. */
const waitingRooms = ["stores"];

/**
 * All test files, each in the project that follows from its room and from what it loads; a file that moves needs no entry
 * here. One that is slow or waits for another reason says so in its first line: `// slow: …`, `// engine: …`; one that only a merge
 * needs, `// merge: …`.
 */
export function testProjects(): Readonly<Record<TestProject, readonly string[]>> {
  const projects: Record<TestProject, string[]> = { unit: [], engine: [], slow: [], merge: [] };
  const files = readdirSync(join(repository, "test"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".test.ts")).sort())
    projects[projectOf(file)].push(`test/${file}`);
  return projects;
}

function projectOf(file: string): TestProject {
  const room = file.split("/")[0] ?? "";
  if (readFileSync(join(repository, "test", file), "utf8").startsWith("// merge: ")) return "merge";
  if (slowRooms.includes(room)) return "slow";
  const loaded = loadedBy(join(repository, "test", file));
  if (["a process", "test/support/postgres.ts", "said to be slow"].some((each) => loaded.has(each))) return "slow";
  if (waitingRooms.includes(room) || loaded.has("a wait")) return "engine";
  return loaded.has("src/service") ? "engine" : "unit";
}

/** The test files that a file imports, itself included, and what says in which project it belongs. */
function loadedBy(path: string, found: Set<string> = new Set()): ReadonlySet<string> {
  const name = relative(repository, path);
  if (name.startsWith("src/service/")) found.add("src/service");
  // Texts of test projects have imports too, of files that are not here.
  if (found.has(name) || name.startsWith("src/") || !existsSync(path)) return found;
  found.add(name);
  const text = readFileSync(path, "utf8");
  if (text.includes('from "node:child_process"')) found.add("a process");
  if (text.startsWith("// slow: ")) found.add("said to be slow");
  if (text.startsWith("// engine: ") || text.includes('from "node:http"')) found.add("a wait");
  for (const [, from] of text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+\.ts)"/gm))
    if (from !== undefined) loadedBy(join(dirname(path), from), found);
  return found;
}
