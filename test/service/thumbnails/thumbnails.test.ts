import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { makeThumbnail } from "../../../src/service/thumbnails/make-thumbnail.ts";
import { makeShop, type Rig } from "../support/rig.ts";

/** A picture in one colour. */
function picture(width: number, height: number, [red, green, blue] = [200, 40, 40]): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red ?? 0, green ?? 0, blue ?? 0, 255], at);
  return PNG.sync.write(png);
}

async function put(rig: Rig, name: string, bytes: Uint8Array | string): Promise<{ id: number; thumbnailUrl: string }> {
  const contents = Buffer.from(bytes).toString("base64");
  return await rig.ok("POST", "/scripts/1/data-stores/contents", { name, contents });
}

async function thumbnail(rig: Rig, path: string, headers: Record<string, string> = { "x-api-key": "local" }) {
  const answer = await rig.service.handle({ method: "GET", path, headers });
  const body = Buffer.from(answer.body());
  return { status: answer.status, type: answer.headers["content-type"], body };
}

/** Distinct colours of a picture. */
function coloursOf(body: Buffer): ReadonlySet<string> {
  const { data } = PNG.sync.read(body);
  const found = new Set<string>();
  for (let at = 0; at < data.length; at += 4) found.add(data.subarray(at, at + 4).join(","));
  return found;
}

describe("the thumbnail of a picture", () => {
  it.each([
    [200, 100, 80, 40],
    [100, 400, 20, 80],
    [81, 81, 80, 80],
    [80, 80, 80, 80],
    [16, 9, 16, 9],
  ])("of %i by %i is a PNG of %i by %i", async (width, height, expectedWidth, expectedHeight) => {
    const rig = await makeShop();
    await put(rig, "shot.png", picture(width, height));
    const { status, type, body } = await thumbnail(rig, "/data-stores/1/thumbnail");
    expect([status, type]).toEqual([200, "image/png"]);
    const { width: foundWidth, height: foundHeight } = PNG.sync.read(body);
    expect([foundWidth, foundHeight]).toEqual([expectedWidth, expectedHeight]);
    expect([...coloursOf(body)]).toEqual(["200,40,40,255"]);
  });

  it("that cannot be read is the sheet of its type", async () => {
    const rig = await makeShop();
    await put(rig, "a.png", "no picture");
    await put(rig, "b.png", picture(4, 4).subarray(0, 40));
    const first = await thumbnail(rig, "/data-stores/1/thumbnail");
    expect(PNG.sync.read(first.body)).toMatchObject({ width: 80, height: 80 });
    expect((await thumbnail(rig, "/data-stores/2/thumbnail")).body.equals(first.body)).toBe(true);
  });

  it("is the sheet of its type where sharp is not installed, which is named with what to do", async () => {
    const file = { name: "a.png", type: "image/png", bytes: picture(200, 100) };
    const missing = () => Promise.reject(new Error("Cannot find package 'sharp'"));
    const drawn = await makeThumbnail(file, missing);
    expect(PNG.sync.read(Buffer.from(drawn.png))).toMatchObject({ width: 80, height: 80 });
    expect(drawn.note).toContain("npm install sharp");
    const own = await makeThumbnail(file);
    expect(own.note).toBeUndefined();
    expect(Buffer.from(drawn.png).equals(Buffer.from(own.png))).toBe(false);
    expect((await makeThumbnail({ ...file, type: "text/csv" }, missing)).note).toBeUndefined();
  });
});

describe("the thumbnail of any other file", () => {
  it.each(["users.csv", "notes.txt", "data", "archive.tar.gz", "wide.wwwwww", "odd.日本"])(
    "is drawn, the same each time: %s",
    async (name) => {
      const rig = await makeShop();
      await put(rig, name, "a,b\n1,2\n");
      const { status, type, body } = await thumbnail(rig, "/data-stores/1/thumbnail");
      expect([status, type]).toEqual([200, "image/png"]);
      expect(PNG.sync.read(body)).toMatchObject({ width: 80, height: 80 });
      expect(coloursOf(body).size).toBeGreaterThan(2);
      const other = await makeShop({ seed: 9 });
      await put(other, name, "something else");
      expect((await thumbnail(other, "/data-stores/1/thumbnail")).body.equals(body)).toBe(true);
    },
  );

  it("shows the extension, in a colour of its type", async () => {
    const rig = await makeShop();
    const names = ["a.csv", "a.txt", "a.md", "a.log", "a"];
    const drawn = [];
    for (const name of names) {
      const { id } = await put(rig, name, "x");
      drawn.push((await thumbnail(rig, `/data-stores/${id}/thumbnail`)).body.toString("hex"));
    }
    expect(new Set(drawn).size).toBe(names.length);
  });
});

describe("the link of a thumbnail", () => {
  it("works without a key, and not with another session", async () => {
    const rig = await makeShop();
    const { thumbnailUrl } = await put(rig, "users.csv", "a");
    const statusOf = async (path: string) => (await thumbnail(rig, path, {})).status;
    expect(await statusOf(thumbnailUrl)).toBe(200);
    expect(await statusOf(thumbnailUrl.replace(/sid=.*/, "sid=other"))).toBe(401);
    expect(await statusOf("/data-stores/1/thumbnail")).toBe(401);
    await rig.ok("DELETE", "/data-stores/1");
    expect(await statusOf(thumbnailUrl)).toBe(404);
  });

  it("answers over HTTP, and HEAD without a body", async () => {
    const rig = await makeShop();
    const { thumbnailUrl } = await put(rig, "shot.png", picture(200, 100));
    const { url } = await rig.service.listen(0);
    const response = await fetch(url + thumbnailUrl);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(PNG.sync.read(Buffer.from(await response.arrayBuffer()))).toMatchObject({ width: 80, height: 40 });
    expect(await rig.call("HEAD", "/data-stores/1/thumbnail")).toMatchObject({ status: 200, body: undefined });
    await rig.close();
  });
});
