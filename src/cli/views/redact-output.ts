import { Buffer } from "node:buffer";
import type { Redact } from "../../report/redact.ts";
import { redactor } from "../../report/redact.ts";

/** Takes the key, and further secrets, out of whatever is printed. */
export function redactSecrets(
  env: Readonly<Record<string, string | undefined>>,
  further: Iterable<string> = [],
): Redact {
  const key = env["LOADFORM_API_KEY"];
  return redactor([...(key === undefined ? [] : [key]), ...further], (text) => Buffer.from(text).toString("base64"));
}
