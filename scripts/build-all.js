import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.js";
import { bundleProvider } from "./bundle-provider.js";
import { compileBindings } from "./compile-bindings.js";
import { compileProtobuf } from "./compile-protobuf.js";
import { compileValidators } from "./compile-validators.js";
import { compileWorker } from "./compile-worker.js";
import { declareProps } from "./declare-props.js";
import { declareTypes } from "./declare-types.js";
import { inputDigest } from "./input-digest.js";
import { writeLicenses } from "./third-party-licenses.js";
import { writeWhole } from "./write-files.js";

/** Builds gen/ and dist/. The digest is removed first and written last: a build cut short is done again. */
export async function buildAll(root, { clean }) {
  const digest = inputDigest(root);
  const digestFile = join(root, "dist", ".input-digest");
  mkdirSync(join(root, "dist"), { recursive: true });
  mkdirSync(join(root, "gen"), { recursive: true });
  rmSync(digestFile, { force: true });
  const modules = [await compileValidators(root), await compileWorker(root), await compileProtobuf(root)].flat();
  await declareProps(root);
  await compileBindings(root);
  modules.push(...(await bundle(root, { clean, digest })), ...(await bundleProvider(root)));
  writeLicenses(root, modules);
  declareTypes(root);
  writeWhole(digestFile, digest);
}
