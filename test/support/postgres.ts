import { execFileSync, spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { cloneMark } from "./built-cli.ts";

/** A real PostgreSQL server of its own, on loopback, with data in a temporary folder. */
export interface TestPostgres {
  /** Connection string of its superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Whether a server can be started here; says so on the terminal when not. */
export function hasPostgres(): boolean {
  const missing = ["initdb", "postgres"].filter((name) => programPath(name) === undefined);
  if (missing.length > 0)
    console.log(`SKIPPED: no ${missing.join(" and no ")} in PATH, so nothing ran against a real PostgreSQL`);
  return missing.length === 0;
}

/** PostgreSQL refuses to run as root; `nobody` will do. */
const nobody = 65534;
const asRoot = process.getuid?.() === 0;
const identity = asRoot ? { uid: nobody, gid: nobody } : {};
/** Its data need not outlive it, and little of it is there. */
const quick = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "shared_buffers=16MB"];
/** A password with everything that has a meaning in a URL. */
const password = "p@ss/w:rd%#1";

/** Starts a server; the first test that needs one pays about a second. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-postgres-"));
  chmodSync(folder, 0o755);
  if (asRoot) chownSync(folder, nobody, nobody);
  const data = join(folder, "data");
  const port = await freePort();
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", HOME: folder };
  const run = { ...identity, env, cwd: folder, stdio: "pipe" } as const;
  execFileSync("cp", ["-R", "-p", emptyCluster(), data], run);
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...quick];
  const server = spawn(need("postgres"), ["-D", data, ...settings.flatMap((each) => ["-c", each])], run);
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const lines: string[] = [];
  const isReady = new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (chunk: Buffer) => {
      lines.push(chunk.toString());
      if (lines.join("").includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${lines.join("")}`)));
  });
  await isReady;
  return {
    url: `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A cluster that no server has run on, made by the first test that needs one: a copy takes a tenth of its time. */
function emptyCluster(): string {
  const made = join(tmpdir(), `loadform-postgres-empty-${cloneMark}`);
  if (existsSync(made)) return made;
  const folder = mkdtempSync(join(tmpdir(), "loadform-postgres-making-"));
  if (asRoot) chownSync(folder, nobody, nobody);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", HOME: folder };
  const options = ["-D", join(folder, "data"), "-U", "tester", "-A", "scram-sha-256", "--pwfile", passwordFile, "-N"];
  execFileSync(need("initdb"), options, { ...identity, env, cwd: folder, stdio: "pipe" });
  try {
    renameSync(join(folder, "data"), made);
  } catch {
    // Another worker was faster; its cluster is as empty.
  }
  rmSync(folder, { recursive: true, force: true });
  return made;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function need(name: string): string {
  const path = programPath(name);
  if (path === undefined) throw new Error(`found no ${name} in PATH`);
  return path;
}

function programPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
