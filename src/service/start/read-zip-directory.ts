import { filePathProblem } from "./file-path.ts";

/** An entry of a zip's directory, with its packed bytes. */
export interface ZipEntry {
  /** Ends with a slash for a folder. */
  readonly path: string;
  /** Bytes once unpacked, as the directory says. */
  readonly size: number;
  readonly crc: number;
  readonly stored: boolean;
  readonly packed: Uint8Array;
}

type Directory = { readonly entries: readonly ZipEntry[] } | { readonly problem: string };

const damaged = { problem: "found a damaged zip; expected a zip that is whole" };

/** Reads a zip's directory, not its contents: the sizes it names are bounded before anything is unpacked. */
export function readZipDirectory(bytes: Uint8Array, mostEntries: number): Directory {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecordAt(zip);
  if (end === undefined) return damaged;
  const count = zip.readUInt16LE(end + 10);
  if (count > mostEntries) return { problem: `found a zip of ${count} entries; expected at most ${mostEntries}` };
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const read = readEntry(zip, at);
    if ("problem" in read) return read;
    entries.push(read.entry);
    at = read.next;
  }
  const twice = entries.find(({ path }, index) => entries.findIndex((each) => each.path === path) !== index);
  return twice ? { problem: `found ${twice.path} twice in the zip; expected each path once` } : { entries };
}

const endSignature = 0x06054b50;
const endBytes = 22;
const mostComment = 0xffff;

/** Where the directory's end record is: a comment may follow. */
function endRecordAt(zip: Buffer): number | undefined {
  for (let at = zip.length - endBytes; at >= Math.max(0, zip.length - endBytes - mostComment); at--)
    if (zip.readUInt32LE(at) === endSignature) return at;
  return undefined;
}

const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const entryBytes = 46;
const localBytes = 30;
const isEncrypted = 1;

type Entry = { readonly entry: ZipEntry; readonly next: number } | { readonly problem: string };

function readEntry(zip: Buffer, at: number): Entry {
  if (at + entryBytes > zip.length || zip.readUInt32LE(at) !== entrySignature) return damaged;
  const flags = zip.readUInt16LE(at + 8);
  const method = zip.readUInt16LE(at + 10);
  const nameEnd = at + entryBytes + zip.readUInt16LE(at + 28);
  const path = zip.toString("utf8", at + entryBytes, nameEnd);
  const problem = entryProblem(path, { flags, method });
  if (problem !== undefined) return { problem };
  const packed = packedBytes(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 20));
  if (packed === undefined) return damaged;
  const entry = { path, size: zip.readUInt32LE(at + 24), crc: zip.readUInt32LE(at + 16), stored: method === 0, packed };
  return { entry, next: nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32) };
}

function entryProblem(
  path: string,
  { flags, method }: { readonly flags: number; readonly method: number },
): string | undefined {
  const problem = filePathProblem(path.replace(/(?<=[^/])\/$/, ""));
  if (problem !== undefined) return `${problem} (in the zip)`;
  if ((flags & isEncrypted) !== 0) return `found ${path} encrypted in the zip; expected it without a password`;
  return method === 0 || method === 8
    ? undefined
    : `found ${path} packed by method ${method}; expected a zip of stored or deflated entries`;
}

/** Where the directory and the entry itself disagree, the zip is damaged; so it is with sizes beyond 4 GB. */
function packedBytes(zip: Buffer, local: number, length: number): Uint8Array | undefined {
  if (local + localBytes > zip.length || zip.readUInt32LE(local) !== localSignature) return undefined;
  const start = local + localBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return start + length <= zip.length ? zip.subarray(start, start + length) : undefined;
}
