import { nearest } from "../model/did-you-mean.ts";

/** Keys under which a secret stands, as they are spelled and misspelt. */
const names = ["password", "privateKey", "cloudAccessKeyId", "cloudSecretAccessKey", "apiKey", "defaultValue"];
const telling = /pass?w|secret|private|credential|token|access.?key|api.?key|^key$/i;
const inAddress = /:\/\/[^/\s"']*:[^/\s"']*@/;
const keyed = /([A-Za-z0-9_-]+)["']?\s*[:=]\s*(\S?)/g;

/** Whether a line ends with a key of a secret whose value is to follow below: "password:". */
export function opensSecret(line: string): boolean {
  const [, key = ""] = /([A-Za-z0-9_-]+)["']?\s*:\s*(?:[&!][^\s]*\s*)*(?:#.*)?$/.exec(line) ?? [];
  return key !== "" && isTelling(key);
}

/**
 * Whether a line of the project may hold a secret that is written out, under a key that is misspelt, too: it is not shown
 * beside a problem. What is taken from `${env:…}` or `${file:…}` is no secret yet.
 */
export function mayHoldSecret(line: string): boolean {
  if (inAddress.test(line)) return true;
  const written = line.replace(/\$\{(env|file|var):[^}]*\}/g, "").replace(/(["'])\1/g, "");
  return [...written.matchAll(keyed)].some(([, key = "", value = ""]) => {
    const isEmpty = value === "" || value === "," || value === "}" || value === "#";
    // A private grid: an object's key, which is none of a secret.
    const isObjectKey = key === "private" && value === "{";
    return !isEmpty && !isObjectKey && isTelling(key);
  });
}

function isTelling(key: string): boolean {
  return telling.test(key) || nearest(key, names) !== undefined;
}
