import type { ProjectMemory } from "../project-memory.ts";
import type { Query, QueueSession } from "./queue-session.ts";

/** Version of the table's form: a worker of an older one refuses a newer one. */
const formVersion = 1;

const schema = "loadform_watch";
const table = `${schema}.projects`;

/** Days for which a project that no worker is configured for is remembered: its suspension is there when it comes back. */
const rememberedDays = 30;

/** A memory as it was read, and how often it had been written. */
export interface MemoryRow {
  readonly project: string;
  readonly revision: number;
  readonly memory: ProjectMemory;
}

/** Makes schema and table where they are missing; asks for no right to do so where they are not. The caller has the lock of the set-up. */
export async function ensureMemoryTable({ query, transact }: QueueSession): Promise<void> {
  const [found] = await query("SELECT to_regclass($1) IS NOT NULL AS present", [`${schema}.form`]);
  if (found?.["present"] !== true)
    await transact(async (ask) => {
      await ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await ask(`CREATE TABLE ${schema}.form (version integer NOT NULL)`);
      await ask(`INSERT INTO ${schema}.form (version) VALUES ($1)`, [formVersion]);
      // Text, as a memory may hold what json refuses: a plan's text comes from anywhere.
      await ask(`CREATE TABLE ${table} (
        project text PRIMARY KEY, revision bigint NOT NULL, memory text NOT NULL, configured_at timestamptz NOT NULL)`);
    });
  const [form] = await query(`SELECT version FROM ${schema}.form`);
  const version = Number(form?.["version"]);
  if (version !== formVersion)
    throw new Error(
      `the queue's database has the form ${version} of memories, and this loadform knows form ${formVersion}: run all workers with one version of loadform`,
    );
}

/** Says that these projects are configured here, and makes the rows of those that are new. */
export async function callRoll(query: Query, projects: readonly string[], fresh: ProjectMemory): Promise<void> {
  // In the order of names: two workers that call the roll at once do not wait for each other in a circle.
  await query(
    `INSERT INTO ${table} AS row (project, revision, memory, configured_at)
     SELECT name, 1, $2, now() FROM unnest($1::text[]) AS name ORDER BY name
     ON CONFLICT (project) DO UPDATE SET configured_at = now()`,
    [projects, JSON.stringify(fresh)],
  );
  await query(`DELETE FROM ${table} WHERE configured_at < now() - $1 * interval '1 day'`, [rememberedDays]);
}

/** The memory of a project, locked for the transaction of `query`: every change of it and of its job is made under this lock. */
export async function lockMemory(query: Query, project: string): Promise<ProjectMemory | undefined> {
  const [row] = await query(`SELECT memory FROM ${table} WHERE project = $1 FOR UPDATE`, [project]);
  return row === undefined ? undefined : memoryOf(row["memory"]);
}

export async function saveMemory(query: Query, project: string, memory: ProjectMemory): Promise<void> {
  await query(`UPDATE ${table} SET memory = $2, revision = revision + 1 WHERE project = $1`, [
    project,
    JSON.stringify(memory),
  ]);
}

/** True when no worker has called the roll with the project for as long. */
export async function isUnconfigured(query: Query, project: string, seconds: number): Promise<boolean> {
  const [row] = await query(
    `SELECT 1 FROM ${table} WHERE project = $1 AND configured_at > now() - $2 * interval '1 second'`,
    [project, seconds],
  );
  return row === undefined;
}

/** The memories of these projects that were written since they were read as `known`. */
export async function changedMemories(
  query: Query,
  projects: readonly string[],
  known: ReadonlyMap<string, number>,
): Promise<readonly MemoryRow[]> {
  const rows = await query(
    `SELECT project, revision, memory FROM ${table}
     JOIN unnest($1::text[], $2::bigint[]) AS known (name, read) ON project = name WHERE revision <> read`,
    [projects, projects.map((project) => known.get(project) ?? 0)],
  );
  return rows.map(({ project, revision, memory }) => ({
    project: String(project),
    revision: Number(revision),
    memory: memoryOf(memory),
  }));
}

function memoryOf(text: unknown): ProjectMemory {
  return JSON.parse(String(text)) as ProjectMemory;
}
