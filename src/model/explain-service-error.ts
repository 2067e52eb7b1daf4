import type { Code } from "./codes.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { ServiceError } from "./service-error.ts";

/** What a refused or unanswered request says to the user. */
export function explainServiceError(thrown: ServiceError): Diagnostic {
  const fields = (thrown.fields ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
  const said = `${thrown.method} ${thrown.path}: ${thrown.serviceMessage}${fields === "" ? "" : ` (${fields})`}`;
  const detail = thrown.serviceMessage === undefined ? thrown.message : `${said}${triesOf(thrown)}`;
  if (thrown.status === undefined) {
    const advice = thrown.advice ?? "Check service.url, $LOADFORM_URL and the network";
    return error("LF2001", "the service did not answer", `${detail}. ${advice}`);
  }
  if (thrown.status === 401 || thrown.status === 403)
    return error(
      "LF2002",
      `the service refused the key (status ${thrown.status})`,
      `${detail}. Set $LOADFORM_API_KEY to a key of this organization`,
    );
  // Lists are always there: where one is missing, the requests go to another path than the service's.
  if (thrown.status === 404 && !thrown.route.includes(":"))
    return error(
      "LF2003",
      "there is no such service at this address (status 404)",
      `${detail}. Check service.url and $LOADFORM_URL: most likely their path is wrong`,
    );
  return error("LF2003", `the service refused a request (status ${thrown.status})`, detail);
}

/** The same of a write of one object. */
export function refusedWrite(thrown: ServiceError): Diagnostic {
  const fields = (thrown.fields ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
  const words = thrown.serviceMessage ?? thrown.message;
  const summary =
    thrown.status === undefined ? "the write got no answer" : `the service refused the write (status ${thrown.status})`;
  return error("LF6001", summary, fields === "" ? words : `${words} (${fields})`);
}

function triesOf({ tries }: ServiceError): string {
  return tries !== undefined && tries > 1 ? ` (after ${tries} tries)` : "";
}

function error(code: Code, summary: string, detail: string): Diagnostic {
  return { severity: "error", code, summary, detail };
}
