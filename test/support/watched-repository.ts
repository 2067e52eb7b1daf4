import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
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

/** The moment at which the last check of a project began, as the status page of its watcher tells it; epoch milliseconds. */
export async function beginOfLastCheck(
  url: string,
  { project, token }: { readonly project: string; readonly token: string },
): Promise<number> {
  const answer = await fetch(`${url}/api/projects/${project}`, { headers: { authorization: `Bearer ${token}` } });
  const { history } = (await answer.json()) as {
    readonly history: readonly { readonly at: string; readonly ms: number }[];
  };
  const [last] = history;
  return last === undefined ? Number.NaN : Date.parse(last.at) - last.ms;
}

/** Tells a watcher of a push to `main` as GitHub does, signed with the secret; answers the status. */
export async function pushHook(
  url: string,
  { repository, secret }: { readonly repository: string; readonly secret: string },
): Promise<number> {
  const body = JSON.stringify({ ref: "refs/heads/main", repository: { clone_url: repository } });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": signature };
  return (await fetch(`${url}/hooks/github`, { method: "POST", headers, body })).status;
}
