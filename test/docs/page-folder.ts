import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { allocatorVariables } from "../../src/cli/prepare-engine.ts";
import { builtCli } from "../support/built-cli.ts";
import { repository } from "../support/source-files.ts";

/** The loadform that a page runs. */
export interface Installation {
  /** Folder of the package. */
  readonly home: string;
  /** The `node_modules` with what it depends on. */
  readonly dependencies: string;
  /** What the page takes from a clone of the repository, and its hidden lines from there: examples, packages of others. */
  readonly repository: string;
}

/** Where a page runs: an empty folder, with `loadform` and `npx loadform` at hand; by default those of the sources as they are. */
export async function pageFolder(given?: Installation) {
  const { home, dependencies, repository: clone } = given ?? (await builtInstallation());
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loadform-docs-")));
  const work = join(root, "you");
  const bins = [join(root, "bin"), join(root, "node_modules/.bin")];
  for (const folder of [work, join(root, "scratch"), ...bins]) mkdirSync(folder, { recursive: true });
  for (const bin of bins) symlinkSync(join(home, "dist/bin.js"), join(bin, "loadform"));
  symlinkSync(home, join(root, "node_modules/loadform"));
  return {
    work,
    scratch: join(root, "scratch"),
    env: {
      PATH: `${join(root, "bin")}:${process.env["PATH"]}`,
      HOME: work,
      LANG: "C.UTF-8",
      TZ: "UTC",
      npm_config_offline: "true",
      npm_config_update_notifier: "false",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com",
      ...allocatorVariables,
      LOADFORM_HOME: home,
      LOADFORM_DEPENDENCIES: dependencies,
      LOADFORM_REPOSITORY: clone,
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function builtInstallation(): Promise<Installation> {
  const home = dirname(dirname(await builtCli()));
  return { home, dependencies: realpathSync(join(home, "node_modules")), repository };
}

/** The ports that a page names, each with a free one. */
export async function freePorts(markdown: string): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(markdown.match(/\b80[89]\d\b/g) ?? [])];
  return new Map(await Promise.all(named.map(async (port) => [port, await freePort()] as const)));
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === "object" && address !== null ? address.port : 0);
}
