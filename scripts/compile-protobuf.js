import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build } from "esbuild";
import protobuf from "protobufjs";
import { compiler } from "./declare-types.js";
import { describeProtobuf } from "./describe-protobuf.js";
import { modulesOf } from "./third-party-licenses.js";
import { writeWhole } from "./write-files.js";

const folder = "src/terraform/wire";
const names = ["tfplugin6", "plugin", "health"];

/** Integers are numbers, bytes are Buffers, a oneof is a union; services and clients are those of grpc-js. */
const parameter = [
  "outputServices=grpc-js",
  "env=node",
  "oneof=unions",
  "esModuleInterop=true",
  "importSuffix=.js",
  "outputJsonMethods=false",
  "useExactTypes=false",
].join(",");

/** Writes gen/tfplugin6.js and its neighbours: codecs of our .proto files as plain code, since a descriptor costs 30 ms at each start. Answers with the modules that are in it. */
export async function compileProtobuf(root) {
  if (!existsSync(join(root, folder))) return [];
  const gen = join(root, "gen");
  const staging = mkdtempSync(join(gen, "protobuf-"));
  try {
    const sources = names.map((name) => writeSource(root, { name, staging }));
    const { outputFiles, metafile } = await asJavaScript(root, { staging, sources });
    for (const { path, contents } of outputFiles) writeWhole(join(gen, basename(path)), contents);
    for (const { name, declaration } of declare(root, { staging, sources })) writeWhole(join(gen, name), declaration);
    return modulesOf(root, metafile);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** What a code generator reads and writes: google/protobuf/compiler/plugin.proto, as far as it is needed. */
const plugin = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated string file_to_generate = 1; string parameter = 2; repeated bytes proto_file = 15; }
  message File { string name = 1; string content = 15; }
  message Response { string error = 1; repeated File file = 15; }
`).root;

function writeSource(root, { name, staging }) {
  const file = `${name}.proto`;
  const protoFile = [describeProtobuf(file, readFileSync(join(root, folder, file), "utf8"))];
  const input = plugin
    .lookupType("Request")
    .encode({ fileToGenerate: [file], parameter, protoFile })
    .finish();
  const generator = createRequire(join(root, "package.json")).resolve("ts-proto/protoc-gen-ts_proto");
  const answer = plugin.lookupType("Response").decode(execFileSync(process.execPath, [generator], { input }));
  if (answer.error) throw new Error(`${file}: ${answer.error}`);
  const path = join(staging, `${name}.ts`);
  writeFileSync(path, answer.file.find((each) => basename(each.name) === `${name}.ts`).content);
  return path;
}

/** The codec library stands once, in a chunk that all share. */
function asJavaScript(root, { staging, sources: entryPoints }) {
  return build({
    absWorkingDir: root,
    entryPoints,
    outdir: staging,
    bundle: true,
    minify: true,
    splitting: true,
    chunkNames: "protobuf-wire",
    external: ["@grpc/grpc-js"],
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    metafile: true,
    write: false,
  });
}

function declare(root, { staging, sources }) {
  const options = ["--declaration", "--emitDeclarationOnly", "--noCheck", "--skipLibCheck", "--ignoreConfig"];
  const target = ["--target", "es2023", "--module", "nodenext", "--types", "node", "--outDir", staging];
  execFileSync(process.execPath, [compiler(root), ...options, ...target, ...sources], { cwd: root, stdio: "inherit" });
  return names.map((name) => ({
    name: `${name}.d.ts`,
    declaration: readFileSync(join(staging, `${name}.d.ts`), "utf8"),
  }));
}
