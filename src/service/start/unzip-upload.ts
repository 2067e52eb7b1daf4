import { crc32 } from "node:zlib";
import { readZipDirectory, type ZipEntry } from "./read-zip-directory.ts";
import type { FormFile } from "./start-form.ts";

/** The files of a zip, or the reason why it is refused. */
export type Unzipped = { readonly files: readonly FormFile[] } | { readonly problem: string };

const mostEntries = 1_000;
/** Below this many bytes any ratio is taken. */
const smallBytes = 1024 * 1024;
const mostRatio = 200;
/** Input of one step: what it can grow to is bounded. */
const stepBytes = 16 * 1024;

/**
 * Unpacks a zip within bounds. DECISION (API 2, Scenario parameters: bounds of a zip not shown): at most 1,000 entries, as many
 * bytes as a request may have (setting `bodyLimit`), 200 times its packed size beyond 1 MiB.
 */
export async function unzipUpload(bytes: Uint8Array, mostBytes: number): Promise<Unzipped> {
  const directory = readZipDirectory(bytes, mostEntries);
  if ("problem" in directory) return directory;
  const entries = directory.entries.filter(({ path }) => !path.endsWith("/"));
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > mostBytes)
    return { problem: `found a zip of ${total} bytes once unpacked; expected at most ${mostBytes}` };
  const swollen = entries.find(({ size, packed }) => size > smallBytes && size > packed.length * mostRatio);
  if (swollen)
    return {
      problem: `found ${swollen.path}, packed more than ${mostRatio} times; expected less: it may be a zip bomb`,
    };
  const { Inflate } = await import("fflate");
  const files: FormFile[] = [];
  for (const entry of entries) {
    const contents = entry.stored ? entry.packed : inflated(entry, Inflate);
    if (contents === undefined || contents.length !== entry.size || crc32(contents) !== entry.crc)
      return { problem: `found damaged bytes of ${entry.path} in the zip; expected a zip that is whole` };
    files.push({ path: entry.path, bytes: contents });
  }
  return { files };
}

/** The bytes of an entry, read no further than its directory says; undefined when it is damaged or longer. */
function inflated({ packed, size }: ZipEntry, Inflate: typeof import("fflate").Inflate): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((chunk) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < packed.length && length <= size; at += stepBytes)
      inflate.push(packed.subarray(at, at + stepBytes), at + stepBytes >= packed.length);
  } catch {
    return undefined;
  }
  return length === size ? Buffer.concat(chunks) : undefined;
}
