import type { RouteDescriptor } from "../../api/routes.ts";
import { Refusal, reasonOf } from "../refusal.ts";
import { readUtf8, refuseCharset, refuseLarge, wrongMediaType } from "./body-bytes.ts";
import type { FormText, Upload } from "./handlers.ts";
import type { ArrivedBody, Incoming } from "./request.ts";

/** A form that has been read: its file parts and its text fields, in the order of the form. */
export interface ReadForm {
  readonly uploads: readonly Upload[];
  readonly texts: readonly FormText[];
}

/** Reads a form of at most so many bytes: 415 for another media type, 400 for what cannot be read, 413 for too much. */
export async function readForm(
  { body, headers }: Pick<Incoming, "headers"> & { readonly body: ArrivedBody },
  { textFields }: Pick<RouteDescriptor, "textFields">,
  most: number,
): Promise<ReadForm> {
  if (body instanceof FormData) return await formParts(body);
  const type = headers.get("content-type") ?? "none";
  const bytes = Buffer.from(typeof body === "string" || body instanceof Uint8Array ? body : "");
  if (textFields && /^application\/x-www-form-urlencoded\b/i.test(type)) {
    refuseLarge(bytes.length, most);
    refuseCharset(type);
    return { uploads: [], texts: urlencodedTexts(readUtf8(bytes, "form fields")) };
  }
  const expected = "multipart/form-data";
  if (!/^multipart\/form-data\b/i.test(type))
    throw wrongMediaType(type, textFields ? `${expected} or application/x-www-form-urlencoded` : expected);
  refuseLarge(bytes.length, most);
  refuseOtherHeads(bytes, type);
  try {
    return await formParts(await new Response(bytes, { headers: { "content-type": type } }).formData());
  } catch (cause) {
    throw new Refusal(400, `the form cannot be read: ${reasonOf(cause)}; expected ${expected}`);
  }
}

/** The head of each part of a form is UTF-8 too: other bytes would give two files one name. */
function refuseOtherHeads(bytes: Buffer, type: string): void {
  const boundary = `--${/boundary="?([^";\s]+)/i.exec(type)?.[1] ?? ""}`;
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length)) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end >= 0) readUtf8(bytes.subarray(at, end), "the heads of a form's parts");
  }
}

async function formParts(form: FormData): Promise<ReadForm> {
  const uploads: Upload[] = [];
  const texts: FormText[] = [];
  for (const [field, part] of form)
    if (typeof part === "string") texts.push({ field, text: part });
    else uploads.push({ field, fileName: part.name, bytes: new Uint8Array(await part.arrayBuffer()) });
  return { uploads, texts };
}

/** Escapes that are no UTF-8 would all become the same character. */
function urlencodedTexts(body: string): readonly FormText[] {
  const texts = [...new URLSearchParams(body)].map(([field, text]) => ({ field, text }));
  if (!/\ufffd|%EF%BF%BD/i.test(body) && texts.some(({ field, text }) => /\ufffd/.test(field + text)))
    throw new Refusal(400, "found escapes that are no UTF-8; expected form fields in UTF-8");
  return texts;
}
