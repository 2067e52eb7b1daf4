import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, startCli } from "./run-cli.ts";

/** A repository with a project in each of its folders; their state is in the database of $STATE_URL. */
export function watchedRepository(names: readonly string[], url: string) {
  const folder = freshFolder();
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "tester@example.com");
  git("config", "user.name", "Tester");
  const commit = (description: string) => {
    for (const name of names) {
      mkdirSync(join(folder, name), { recursive: true });
      const project = {
        project: name,
        service: { url },
        state: { backend: "postgres", url: "${env:STATE_URL}" },
        testCases: { [name]: { description } },
      };
      writeFileSync(join(folder, name, "loadform.yaml"), JSON.stringify(project));
    }
    git("add", "-A");
    git("commit", "-q", "-m", description);
  };
  return { folder, commit };
}

/** A process of `loadform watch` with a folder and a cache of its own, and what it said. */
export async function startWatcher(
  config: unknown,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ["--queue"],
) {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "watch.yaml"), JSON.stringify(config));
  const child = await startCli(["watch", "--config", "watch.yaml", ...args], {
    cwd,
    env: { ...env, XDG_CACHE_HOME: join(cwd, "cache") },
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => said.push(part.toString()));
  return { child, cwd, said: () => said.join("") };
}
