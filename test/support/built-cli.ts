import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { repository } from "./source-files.ts";

/** A build leads back to its clone, which another one with the same sources may outlive. */
export const cloneMark = createHash("sha256").update(repository).digest("hex").slice(0, 8);

let built: Promise<string> | undefined;

/** dist/bin.js of a build outside the repository, made once for each state of the sources; dist/main.js there is for runs within this process. */
export function builtCli(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const { inputDigest } = (await import("../../scripts/input-digest.js" as string)) as {
    inputDigest: (root: string) => string;
  };
  const digest = inputDigest(repository);
  const home = join(tmpdir(), `loadform-cli-${digest.slice(0, 24)}-${cloneMark}`);
  if (!existsSync(home)) await buildOnce(home, digest);
  return join(home, "dist", "bin.js");
}

/** One worker builds, all others wait for it: a build takes several seconds of a core. */
async function buildOnce(home: string, digest: string): Promise<void> {
  const turn = `${home}.turn`;
  const isMine = isFirst(turn);
  // What died while it built is not waited for.
  const age = () => (existsSync(turn) ? Date.now() - statSync(turn).mtimeMs : Number.POSITIVE_INFINITY);
  while (!isMine && !existsSync(home) && age() < 60_000) await sleep(100);
  if (!existsSync(home)) await buildInto(home, digest);
  rmSync(turn, { recursive: true, force: true });
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function buildInto(home: string, digest: string): Promise<void> {
  const staging = mkdtempSync(join(tmpdir(), "loadform-cli-build-"));
  for (const name of ["src", "gen", "schemas", "starter", "node_modules", "package.json"])
    symlinkSync(join(repository, name), join(staging, name));
  if (!linkPrepared(join(staging, "dist"), digest)) await bundleInto(staging, digest);
  try {
    renameSync(staging, home);
  } catch {
    // Another worker was faster; its build is of the same sources.
    rmSync(staging, { recursive: true, force: true });
  }
}

async function bundleInto(staging: string, digest: string): Promise<void> {
  const { bundle } = (await import("../../scripts/bundle.js" as string)) as {
    bundle: (
      root: string,
      options: { clean: boolean; digest: string; more: Readonly<Record<string, string>> },
    ) => Promise<void>;
  };
  await bundle(staging, { clean: false, digest, more: { main: "src/cli/main.ts" } });
}

/** What `npm ci` built of the same sources is the same bundle but for main.js. Answers false where there is none, or where it cannot be linked. */
function linkPrepared(dist: string, digest: string): boolean {
  const prepared = join(repository, "dist");
  const digestFile = join(prepared, ".input-digest");
  mkdirSync(join(dist, "chunks"), { recursive: true });
  if (!existsSync(digestFile) || readFileSync(digestFile, "utf8") !== digest) return false;
  const start = /"(\.\/chunks\/start-[^"]+)"/.exec(readFileSync(join(prepared, "bin.js"), "utf8"))?.[1];
  const files = ["", "chunks"].flatMap((folder) =>
    readdirSync(join(prepared, folder), { withFileTypes: true }).flatMap((each) =>
      each.isFile() ? [join(folder, each.name)] : [],
    ),
  );
  try {
    for (const file of files) linkSync(join(prepared, file), join(dist, file));
  } catch {
    // Another file system.
    rmSync(dist, { recursive: true });
    mkdirSync(dist);
    return false;
  }
  writeFileSync(join(dist, "main.js"), `export { main } from "${start}";\n`);
  return start !== undefined;
}
