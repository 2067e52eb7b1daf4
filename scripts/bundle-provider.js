import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { withoutAbsent } from "./edit-packages.js";
import { modulesOf } from "./third-party-licenses.js";
import { writeWhole } from "./write-files.js";

/**
 * Writes the provider that Terraform starts: one program without extension, which Node reads as the package.json beside it
 * says. It is CommonJS: an ES module under such a package.json would end without a word. Answers with the modules that are in it.
 */
export async function bundleProvider(
  root,
  { source = "src/provider-bin.ts", target = join(root, "dist", "provider") } = {},
) {
  if (!existsSync(join(root, source))) return [];
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outdir: target,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [withoutAbsent],
    logLevel: "warning",
    metafile: true,
    write: false,
  });
  writeWhole(join(target, "terraform-provider-loadform"), outputFiles[0].contents, 0o755);
  writeWhole(join(target, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  return modulesOf(root, metafile);
}
