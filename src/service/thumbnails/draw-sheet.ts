import { createHash } from "node:crypto";
import { glyphHeight, glyphOf, glyphWidth } from "./pixel-letters.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** Pixels that are filled in: from a corner, so wide and so high. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Somewhere to draw. */
interface Canvas {
  readonly size: number;
  readonly data: Buffer;
}

const paper: Colour = [255, 255, 255];
const edge: Colour = [148, 158, 168];
const letters: Colour = [255, 255, 255];

/** A PNG of a sheet of paper with a band in the colour of its type, on which the extension is written. */
export async function drawSheet(name: string, type: string, size: number): Promise<Uint8Array> {
  const {
    default: { PNG },
  } = await import("pngjs");
  const png = new PNG({ width: size, height: size });
  png.data.fill(0);
  const canvas = { size, data: png.data };
  const sheet = { left: size * 0.15, top: size * 0.05, width: size * 0.7, height: size * 0.9 };
  fill(canvas, sheet, edge);
  fill(canvas, { left: sheet.left + 1, top: sheet.top + 1, width: sheet.width - 2, height: sheet.height - 2 }, paper);
  const band = { left: 0, top: size * 0.5, width: size, height: size * 0.3 };
  fill(canvas, band, colourOf(type));
  drawText(canvas, extensionOf(name), band);
  return PNG.sync.write(png);
}

/** Up to four letters and digits. */
function extensionOf(name: string): string {
  const [, extension = ""] = /\.([^.]+)$/.exec(name) ?? [];
  return extension
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .slice(0, 4);
}

/** Dark enough for white letters, and the same for a type everywhere. */
function colourOf(type: string): Colour {
  const [red = 0, green = 0, blue = 0] = createHash("sha256").update(type).digest();
  return [red / 2, green / 2, blue / 2].map(Math.round) as unknown as Colour;
}

function drawText(canvas: Canvas, text: string, band: Area): void {
  const dot = Math.floor(band.height / (glyphHeight + 2));
  const step = (glyphWidth + 1) * dot;
  const left = Math.round((canvas.size - text.length * step + dot) / 2);
  const top = Math.round(band.top + (band.height - glyphHeight * dot) / 2);
  for (const [index, letter] of [...text].entries())
    for (const [row, line] of glyphOf(letter).entries())
      for (const [column, pixel] of [...line].entries())
        if (pixel === "#") {
          const corner = { left: left + index * step + column * dot, top: top + row * dot };
          fill(canvas, { ...corner, width: dot, height: dot }, letters);
        }
}

function fill({ size, data }: Canvas, { left, top, width, height }: Area, [red, green, blue]: Colour): void {
  for (let y = Math.round(top); y < Math.round(top + height); y++)
    for (let x = Math.round(left); x < Math.round(left + width); x++)
      data.set([red, green, blue, 255], (y * size + x) * 4);
}
