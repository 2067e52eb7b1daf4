import { drawSheet } from "./draw-sheet.ts";

/** A file of which a picture is made. */
interface Pictured {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Width and height of a thumbnail at most, in pixels. */
const thumbnailSize = 80;

/** Pictures with more pixels are not decoded. */
const mostPixels = 64_000_000;

type Sharp = typeof import("sharp");

/**
 * A small PNG of a file. DECISION (API 1, GET /data-stores/:id/thumbnail): of a picture its own, at most 80 by 80 and never enlarged; of anything else, and
 * where a picture cannot be read or sharp is not installed, a drawn sheet with the file's extension.
 */
export async function makeThumbnail(
  file: Pictured,
  loadSharp: () => Promise<Pick<Sharp, "default">> = () => import("sharp"),
): Promise<Uint8Array> {
  const own = file.type.startsWith("image/") ? await shrunk(file.bytes, loadSharp) : undefined;
  return own ?? (await drawSheet(file, thumbnailSize));
}

async function shrunk(
  bytes: Uint8Array,
  loadSharp: () => Promise<Pick<Sharp, "default">>,
): Promise<Uint8Array | undefined> {
  try {
    const { default: sharp } = await loadSharp();
    const picture = sharp(bytes, { limitInputPixels: mostPixels }).autoOrient();
    const size = { width: thumbnailSize, height: thumbnailSize };
    return await picture
      .resize({ ...size, fit: "inside", withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch {
    return undefined;
  }
}
