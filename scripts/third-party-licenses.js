import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./write-files.js";

const introduction = `loadform has code of the packages below bundled into its own files. Each has its own licence, which follows its name.
`;

/**
 * Writes dist/THIRD-PARTY-LICENSES.txt: name, version and licence of every package of which one of these modules is a file.
 * Throws where a package comes without any.
 */
export function writeLicenses(root, modules) {
  const sections = packagesOf(modules).map(({ manifest: { name, version, license }, text }) =>
    [`${"=".repeat(80)}`, `${name} ${version}${license ? ` (${license})` : ""}`, "", text].join("\n"),
  );
  writeWhole(join(root, "dist", "THIRD-PARTY-LICENSES.txt"), `${[introduction, ...sections].join("\n")}\n`);
}

/** The modules of which esbuild took something. */
export function modulesOf(root, { outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [join(root, path)] : [])),
  );
}

function packagesOf(modules) {
  const folders = new Set(modules.flatMap((path) => packagePath.exec(path)?.[0] ?? []));
  const packages = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = modules.filter((path) => packagePath.exec(path)?.[0] === folder);
    return { manifest, text: licenseIn(folder) ?? headersOf(files, manifest) };
  });
  const named = new Map(packages.map((each) => [`${each.manifest.name} ${each.manifest.version}`, each]));
  return [...named].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}

/** The folder of the package that a module is a file of. */
const packagePath = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

function licenseIn(folder) {
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

/** What the files say themselves, once each, for a package without a file of its licence. */
function headersOf(files, { name }) {
  const headers = files.filter(existsSync).flatMap((path) => {
    const [header = ""] = /^(?:\/\/.*\n)+|^\/\*[\s\S]*?\*\//.exec(readFileSync(path, "utf8")) ?? [];
    return /copyright/i.test(header) ? [header.trim()] : [];
  });
  if (headers.length === 0)
    throw new Error(`found no licence of ${name}; expected one of its files, or what its sources begin with, to be it`);
  return [...new Set(headers)].join("\n\n");
}
