import { drawSheet } from "./draw-sheet.ts";

/** A PNG of a file, and why it is not the picture's own where a package is missing. */
interface Thumbnail {
  readonly png: Uint8Array;
  readonly note?: string;
}

/** Width and height of a thumbnail at most, in pixels. */
const thumbnailSize = 80;

/** Pictures with more pixels are not decoded. */
const mostPixels = 64_000_000;

/** The library that reads pictures of all formats; an optional peer, loaded when a picture is to be shown. */
type LoadSharp = () => Promise<Pick<typeof import("sharp"), "default">>;

const missingSharp =
  "a thumbnail of a picture needs the package sharp, which could not be loaded. Install it beside loadform: npm install sharp";

/**
 * A small PNG of a file. DECISION (API 1, GET /data-stores/:id/thumbnail): of a picture its own, at most 80 by 80 and never enlarged; of anything else, and
 * where a picture cannot be read or sharp is not installed, a drawn sheet with the file's extension; header
 * X-Loadform-Thumbnail says that sharp is missing.
 */
export async function makeThumbnail(
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
  loadSharp: LoadSharp = () => import("sharp"),
): Promise<Thumbnail> {
  if (!type.startsWith("image/")) return { png: await drawSheet(name, type, thumbnailSize) };
  const library = await loadSharp().catch(() => undefined);
  const own = library && (await shrunk(bytes, library));
  return { png: own ?? (await drawSheet(name, type, thumbnailSize)), ...(library ? {} : { note: missingSharp }) };
}

async function shrunk(
  bytes: Uint8Array,
  { default: sharp }: Awaited<ReturnType<LoadSharp>>,
): Promise<Uint8Array | undefined> {
  try {
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
