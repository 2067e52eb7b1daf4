import { createHash } from "node:crypto";
import { join } from "node:path";
import { zipSync } from "fflate";
import { platforms } from "./provider-program.js";
import { writeWhole } from "./write-files.js";

const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } })}\n`;

/** Writes a release as registries want it, the same bytes each time; returns the names of its files. */
export function releaseProvider({ name, version, files }, { to }) {
  const zip = zipOf(files);
  const release = `${name}_${version}`;
  const written = [
    ...platforms.map((platform) => [`${release}_${platform}.zip`, zip]),
    [`${release}_manifest.json`, Buffer.from(manifest)],
  ];
  const sums = written.map(([file, contents]) => `${sha256(contents)}  ${file}\n`).join("");
  const all = [...written, [`${release}_SHA256SUMS`, Buffer.from(sums)]];
  for (const [file, contents] of all) writeWhole(join(to, file), contents);
  return all.map(([file]) => file);
}

/** A zip knows no time zone: this moment of whoever's clock is the first that it can name. */
const mtime = new Date(1980, 0, 1);
const unix = 3;
const regularFile = 0o100000;

/** Without the mode in the entry's external attributes what Terraform unpacks cannot be started. */
function zipOf(files) {
  const entries = files.map(({ name, mode, contents }) => [
    name,
    [contents, { level: 9, mtime, os: unix, attrs: (regularFile | mode) << 16 }],
  ]);
  return zipSync(Object.fromEntries(entries));
}

function sha256(contents) {
  return createHash("sha256").update(contents).digest("hex");
}
