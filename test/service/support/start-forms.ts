import { zipSync } from "fflate";
import { expect } from "vitest";
import { makeRig, type Rig } from "./rig.ts";

/** A file part of a form. */
export interface FilePart {
  readonly name: string;
  readonly contents: string | Uint8Array<ArrayBuffer>;
}

/** Fields of a form, text or file; undefined ones are left out. */
export type Fields = Readonly<Record<string, string | FilePart | undefined>>;

/** A file part. */
export function file(name: string, contents: FilePart["contents"] = "x"): FilePart {
  return { name, contents };
}

/** A zip with these texts by path. */
export function zipFile(name: string, texts: Readonly<Record<string, string>>): FilePart {
  const entries = Object.entries(texts).map(([path, text]) => [path, new Uint8Array(Buffer.from(text))]);
  return { name, contents: new Uint8Array(zipSync(Object.fromEntries(entries))) };
}

/** A Code scenario for one minute: a form that is accepted. */
export const code: Fields = { code: file("main.js", "go()"), duration_mins: "1" };

/** A form as FormData. */
export function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields))
    if (typeof value === "string") form.append(field, value);
    else if (value !== undefined) form.append(field, new Blob([value.contents]), value.name);
  return form;
}

/** Sends a form as bytes of a multipart body, as a client does, and asks for JSON. */
export async function sendForm(rig: Rig, fields: Fields, path = "/start") {
  const sent = new Response(formOf(fields));
  const type = sent.headers.get("content-type") ?? "";
  const body = new Uint8Array(await sent.arrayBuffer());
  return await rig.call("POST", path, body, { "content-type": type, accept: "application/json" });
}

/** Two regions of the public grid. */
export const twoRegions = { "conf_testrunners[0].regions": "cloud-us-east-1, cloud-eu-west-1" };

/** The configuration that a form makes. */
export async function configurationOf(fields: Fields, rig?: Rig) {
  const used = rig ?? (await makeRig());
  const { status, body } = await sendForm(used, { ...code, ...fields });
  expect(status, JSON.stringify(body)).toBe(200);
  return await used.ok("GET", `/test-confs/${body.confId}`);
}
