import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../source-files.ts";

/** The provider's program as it is installed and packed, built from the sources as they are. */
export interface BuiltProvider {
  readonly version: string;
  readonly platforms: readonly string[];
  readonly hosts: readonly string[];
  /** Writes a filesystem mirror into the folder. */
  readonly mirror: (to: string) => void;
  /** Writes a release into the folder, and answers the names of its files. */
  readonly release: (to: string) => readonly string[];
  readonly remove: () => void;
}

interface Program {
  readonly version: string;
}

interface Scripts {
  readonly bundleProvider: (root: string, to: { target: string }) => Promise<void>;
  readonly readProvider: (root: string, from: { from: string }) => Program;
  readonly platforms: readonly string[];
  readonly hosts: readonly string[];
  readonly mirrorProvider: (program: Program, to: { to: string }) => void;
  readonly releaseProvider: (program: Program, to: { to: string }) => readonly string[];
}

/** Bundles the provider and loads what `npm run provider:install` and `npm run provider:package` do. */
export async function buildProvider(): Promise<BuiltProvider> {
  const names = ["bundle-provider", "provider-program", "mirror-provider", "release-provider"];
  const modules = await Promise.all(names.map((name) => import(`../../../scripts/${name}.js` as string)));
  const scripts: Scripts = Object.assign({}, ...modules);
  const folder = mkdtempSync(join(tmpdir(), "loadform-provider-"));
  await scripts.bundleProvider(repository, { target: folder });
  const program = scripts.readProvider(repository, { from: folder });
  return {
    version: program.version,
    platforms: scripts.platforms,
    hosts: scripts.hosts,
    mirror: (to) => scripts.mirrorProvider(program, { to }),
    release: (to) => scripts.releaseProvider(program, { to }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
