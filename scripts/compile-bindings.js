import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { hasKinds, loadSources } from "./load-sources.js";
import { writeWhole } from "./write-files.js";

const sources = "scripts/derive/bindings/sources.ts";

/** CommonJS, since what cdktf generates is no ESM; the options are those under which generated code has no errors. */
const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  declaration: true,
  skipLibCheck: true,
  types: ["node"],
  rootDir: ".",
  outDir: "out",
};
const manifest = '{ "type": "commonjs" }\n';

/** Writes gen/cdktf and gen/cdktn: the provider as classes for both libraries, compiled. What was made from the same sources remains. */
export async function compileBindings(root) {
  if (!hasKinds(root)) return;
  const digestFile = join(root, "gen", ".bindings-digest");
  const bundled = await derivation(root);
  if (isCurrent(root, digestFile, bundled.digest)) return;
  rmSync(digestFile, { force: true });
  const files = await bindingFiles(root, bundled);
  for (const [path, text] of Object.entries(files)) writeWhole(join(root, "gen", path), text);
  for (const name of ["cdktf", "cdktn"])
    for (const path of filesBelow(join(root, "gen", name)))
      if (!(`${name}/${path}` in files)) rmSync(join(root, "gen", name, path));
  writeWhole(digestFile, bundled.digest);
}

/** The compiled bindings by path under gen. */
export async function bindingFiles(root, bundled) {
  const { bindingSources, kinds, providersSchema } = bundled ?? (await derivation(root));
  const schema = providersSchema(kinds);
  const literal = readFileSync(join(root, "scripts/derive/bindings/literal.ts"), "utf8");
  const folder = mkdtempSync(join(root, "gen", "bindings-"));
  try {
    for (const library of await libraries(root)) {
      const raw = join(folder, "raw", library.name);
      await library.generate(schema, raw);
      const generated = Object.fromEntries(
        filesBelow(raw).map((path) => [path, readFileSync(join(raw, path), "utf8")]),
      );
      const texts = bindingSources({ library, kinds, generated, literal });
      for (const [path, text] of Object.entries(texts)) writeWhole(join(folder, library.name, path), text);
    }
    return compiled(root, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both generators. Loading them must neither ask a server for news nor look for terraform. */
async function libraries(root) {
  process.env.CHECKPOINT_DISABLE = "1";
  process.env.TERRAFORM_BINARY_NAME = "true";
  const { peerDependencies, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const constraint = providerVersions(version);
  const old = await import("@cdktf/provider-generator/lib/get/generator/provider-generator.js");
  const { CodeMaker: OldCodeMaker } = await import("codemaker");
  const oldCommons = await import("@cdktf/commons");
  const current = await import("@cdktn/provider-generator");
  const commons = await import("@cdktn/commons");
  return [
    {
      name: "cdktf",
      range: peerDependencies.cdktf,
      generate: generatorOf({ ...old, ...oldCommons, CodeMaker: OldCodeMaker }, constraint),
    },
    {
      name: "cdktn",
      // Optional by peerDependenciesMeta alone: with a range, npm would weigh what cdktn asks of constructs in projects without it.
      range: ">=0.24.0 <1",
      generate: generatorOf({ ...commons, ...current }, constraint),
    },
  ];
}

/** The providers that bindings of this version work with: the same major version, before 1.0 the same minor one or later. */
function providerVersions(version) {
  const [major, minor] = version.split(".");
  return `~> ${major}.${major === "0" ? minor : "0"}`;
}

function generatorOf(library, version) {
  const { CodeMaker, TerraformProviderGenerator, TerraformProviderConstraint, ConstructsMakerProviderTarget } = library;
  return async (schema, folder) => {
    const code = new CodeMaker();
    const constraint = new TerraformProviderConstraint({
      name: "loadform",
      source: "loadform/loadform",
      version,
    });
    new TerraformProviderGenerator(code, schema).generate(
      new ConstructsMakerProviderTarget(constraint, library.Language.TYPESCRIPT),
    );
    await code.save(folder);
  };
}

function compiled(root, folder) {
  const config = { compilerOptions, include: ["cdktf", "cdktn"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), manifest);
  const typescript = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  const tsc = join(dirname(typescript), JSON.parse(readFileSync(typescript, "utf8")).bin.tsc);
  execFileSync(process.execPath, [tsc, "-p", folder], { cwd: root, stdio: "inherit" });
  const out = join(folder, "out");
  const files = Object.fromEntries(filesBelow(out).map((path) => [path, readFileSync(join(out, path), "utf8")]));
  return { ...files, "cdktf/package.json": manifest, "cdktn/package.json": manifest };
}

/** The derivation from the kinds, with a digest of all that decides what is generated. */
async function derivation(root) {
  const exports = `export { bindingSources } from "./${sources}"; export { providersSchema } from "./scripts/derive/providers-schema.ts"`;
  const loaded = await loadSources(root, exports);
  return { ...loaded, digest: digestOf(root, loaded) };
}

function digestOf(root, { providersSchema, kinds }) {
  const hash = createHash("sha256")
    .update(process.version)
    .update(JSON.stringify(providersSchema(kinds)));
  const folder = join(root, "scripts/derive/bindings");
  const paths = filesBelow(folder).map((path) => join(folder, path));
  const others = ["scripts/compile-bindings.js", "package.json", "package-lock.json"].map((name) => join(root, name));
  for (const path of [...paths, ...others]) hash.update(`\0${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

function isCurrent(root, digestFile, digest) {
  const isThere = ["cdktf", "cdktn"].every((name) => existsSync(join(root, "gen", name, "index.js")));
  return isThere && existsSync(digestFile) && readFileSync(digestFile, "utf8") === digest;
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
