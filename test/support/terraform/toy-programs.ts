import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { repository } from "../source-files.ts";

/** The toy provider as the programs that loadform's own is built into. */
export interface ToyPrograms {
  /** Holds the program that Terraform starts, as dev_overrides takes it. */
  readonly folder: string;
  readonly plugin: string;
  /** Runs its arguments with the toy provider hosted. */
  readonly hosted: string;
  readonly remove: () => void;
}

/** Bundles them as the build does. */
export async function buildToyPrograms(): Promise<ToyPrograms> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-toy-"));
  const { bundleProvider } = (await import("../../../scripts/bundle-provider.js" as string)) as {
    bundleProvider: (root: string, to: { source: string; target: string }) => Promise<void>;
  };
  const sources = "test/support/terraform";
  await bundleProvider(repository, { source: `${sources}/toy-provider-bin.ts`, target: folder });
  const hosted = join(folder, "hosted.mjs");
  await build({
    absWorkingDir: repository,
    entryPoints: [`${sources}/toy-hosted-bin.ts`],
    outfile: hosted,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, plugin: join(folder, "terraform-provider-loadform"), hosted, remove };
}
