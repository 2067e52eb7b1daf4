import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { RewriteLink } from "./proxied-links.ts";

/** Pages beyond this many bytes pass as they are. */
export const pageLimit = 8 * 1024 * 1024;

const linkAttribute = /(\s(?:href|src|action|formaction|poster)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Rewrites the links of an HTML page: bytes that are no ASCII remain what they are, whatever their charset. */
export function rewritePage(page: Uint8Array, rewrite: RewriteLink): Uint8Array {
  const text = Buffer.from(page).toString("latin1");
  const rewritten = text.replace(linkAttribute, (whole, start: string, double, single, bare) => {
    const link: string = double ?? single ?? bare;
    const proxied = rewrite(link);
    const quote = single === undefined ? '"' : "'";
    return proxied === undefined ? whole : `${start}${quote}${proxied}${quote}`;
  });
  return Buffer.from(rewritten, "latin1");
}

const decoders = {
  identity: (bytes: Uint8Array) => Promise.resolve(bytes),
  gzip: (bytes: Uint8Array) => promisify(gunzip)(bytes, { maxOutputLength: pageLimit }),
  deflate: (bytes: Uint8Array) => promisify(inflate)(bytes, { maxOutputLength: pageLimit }),
  br: (bytes: Uint8Array) => promisify(brotliDecompress)(bytes, { maxOutputLength: pageLimit }),
} as const;

/** A page without its content encoding; undefined where that is unknown, damaged or too large. */
export async function decodePage(bytes: Uint8Array, encoding: string): Promise<Uint8Array | undefined> {
  const name = encoding.trim().toLowerCase();
  if (!Object.hasOwn(decoders, name)) return undefined;
  try {
    return await decoders[name as keyof typeof decoders](bytes);
  } catch {
    return undefined;
  }
}
