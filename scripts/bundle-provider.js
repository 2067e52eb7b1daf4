import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { writeWhole } from "./write-files.js";

/**
 * Writes the provider that Terraform starts: one program without extension, which Node reads as the package.json beside it
 * says. It is CommonJS: an ES module under such a package.json would end without a word.
 */
export async function bundleProvider(
  root,
  { source = "src/provider-bin.ts", target = join(root, "dist", "provider") } = {},
) {
  if (!existsSync(join(root, source))) return;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outdir: target,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [withoutProtoLoader],
    logLevel: "warning",
    write: false,
  });
  writeWhole(join(target, "terraform-provider-loadform"), outputFiles[0].contents, 0o755);
  writeWhole(join(target, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
}

/** grpc-js reads .proto files for services of its own that nobody here asks for; their reader is a fourth of the program. */
const withoutProtoLoader = {
  name: "without-proto-loader",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@grpc\/proto-loader$/ }, () => ({ path: "proto-loader", namespace: "absent" }));
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({
      contents: `exports.loadSync = () => { throw new Error("found no reader of .proto files in this program") };`,
    }));
  },
};
