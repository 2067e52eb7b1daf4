import { type Zippable, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { unzipUpload } from "../../../src/service/start/unzip-upload.ts";

const mostBytes = 4 * 1024 * 1024;
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const unzip = (zip: Uint8Array) => unzipUpload(zip, mostBytes);
const zipOf = (entries: Zippable) => zipSync(entries);

/** A zip with bytes written over, counted from the first place of a signature. */
function spoiled(zip: Uint8Array, signature: number, at: number, value: number): Uint8Array {
  const copy = Buffer.from(zip);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(signature);
  copy.writeUInt16LE(value, copy.indexOf(head) + at);
  return copy;
}

const directory = 0x02014b50;
const local = 0x04034b50;

describe("a zip", () => {
  it("gives its files by path, stored or deflated, folders left out", async () => {
    const zip = zipOf({
      "a.txt": bytes("a".repeat(1000)),
      data: { "u.csv": [bytes("x,y"), { level: 0 }], empty: {} },
      "ü.txt": bytes(""),
    });
    const read = await unzip(zip);
    const files = "files" in read ? read.files.map((each) => [each.path, Buffer.from(each.bytes).toString()]) : read;
    expect(files).toEqual([
      ["a.txt", "a".repeat(1000)],
      ["data/u.csv", "x,y"],
      ["ü.txt", ""],
    ]);
  });

  it("gives the bytes of a large file, which is unpacked in many steps", async () => {
    const large = bytes(
      Array.from({ length: 60_000 }, (_, index) => `${(index * 2654435761) % 4294967296}\n`).join(""),
    );
    const read = await unzip(zipOf({ "large.csv": large }));
    expect("files" in read && Buffer.compare(read.files[0]?.bytes ?? bytes(""), large)).toBe(0);
  });

  it("gives a file with the name of a prototype's key", async () => {
    const zip = Buffer.from(zipOf({ abcdefghi: bytes("x") }));
    for (let at = zip.indexOf("abcdefghi"); at >= 0; at = zip.indexOf("abcdefghi")) zip.write("__proto__", at);
    expect(await unzip(zip)).toMatchObject({ files: [{ path: "__proto__" }] });
  });

  it("may have a comment behind its directory, and bytes of another view around it", async () => {
    const zip = zipOf({ a: bytes("x") });
    const buffer = new Uint8Array(zip.length + 10);
    buffer.set(zip, 10);
    expect(await unzip(buffer.subarray(10))).toMatchObject({ files: [{ path: "a" }] });
    const commented = Buffer.concat([zip, bytes("hello")]);
    expect(await unzip(commented)).toMatchObject({ files: [{ path: "a" }] });
  });

  const small = zipOf({ "a.txt": bytes("hello hello hello hello") });
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, bytes("")]));
  const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ["is empty of bytes", new Uint8Array(), /damaged/],
    ["is none", bytes("no zip at all, but long enough for one"), /damaged/],
    ["is cut at its end", small.subarray(0, small.length - 4), /damaged/],
    ["is cut at its start", small.subarray(10), /damaged/],
    ["has other bytes in an entry", spoiled(small, local, 38, 0xffff), /damaged/],
    ["names another checksum", spoiled(small, directory, 16, 1), /damaged bytes of a\.txt/],
    ["names a smaller size than there is", spoiled(small, directory, 24, 3), /damaged bytes/],
    ["names a larger size than there is", spoiled(small, directory, 24, 300), /damaged bytes/],
    ["is encrypted", spoiled(small, directory, 8, 1), /encrypted/],
    ["is packed in another way", spoiled(small, directory, 10, 12), /method 12/],
    ["points outside itself", spoiled(small, directory, 44, 1), /damaged/],
    ["has too many entries", zipOf(many), /1001 entries; expected at most 1000/],
    ["is too large", zipOf({ a: [new Uint8Array(mostBytes + 1), { level: 0 }] }), /4194305 bytes once unpacked/],
    ["is a bomb", zipOf({ a: new Uint8Array(mostBytes) }), /zip bomb/],
    ["leaves its folder", zipOf({ "../a": bytes("x") }), /\.\.\/a.+within the scenario/],
    ["is absolute", zipOf({ "/etc/a": bytes("x") }), /within the scenario/],
    ["has a drive", zipOf({ "C:/a": bytes("x") }), /within the scenario/],
    ["has backslashes", zipOf({ "a\\b": bytes("x") }), /within the scenario/],
    ["has control characters", zipOf({ "a\nb": bytes("x") }), /can be read/],
  ];
  it.each(refused)("that %s is refused", async (_what, zip, problem) => {
    expect(await unzip(zip)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("that has a path twice is refused", async () => {
    const zip = Buffer.from(zipOf({ aaaa: bytes("x"), bbbb: bytes("y") }));
    for (let at = zip.indexOf("bbbb"); at >= 0; at = zip.indexOf("bbbb")) zip.write("aaaa", at);
    expect(await unzip(zip)).toEqual({ problem: expect.stringContaining("aaaa twice") });
  });
});
