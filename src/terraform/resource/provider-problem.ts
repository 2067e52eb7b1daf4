import { Problem, thrownWords } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import {
  explainServiceError,
  type FieldRefusal,
  IncompleteAnswer,
  refusedWrite,
  ServiceError,
  UnresolvedAnswer,
} from "../../model/service-error.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { Path, ProviderDiagnostic } from "../provider-session.ts";
import { inTerraformWords, withProviderBlock } from "../values/name-in-terraform.ts";

/** An expected problem on its way to the user of Terraform. */
export class ProviderProblem extends Error {
  override readonly name = "ProviderProblem";
  readonly diagnostics: readonly ProviderDiagnostic[];
  constructor(diagnostics: readonly ProviderDiagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("; "));
    this.diagnostics = diagnostics;
  }
}

/** An error of one sentence and its way out. */
export function errorAt(path: Path | undefined, summary: string, detail: string): ProviderDiagnostic {
  return { severity: "error", summary, detail, ...(path !== undefined && { path }) };
}

/** A warning of one sentence and its way out. */
export function warningAt(path: Path | undefined, summary: string, detail: string): ProviderDiagnostic {
  return { ...errorAt(path, summary, detail), severity: "warning" };
}

/** Stops with one problem. */
export function refuse(path: Path | undefined, summary: string, detail: string): never {
  throw new ProviderProblem([errorAt(path, summary, detail)]);
}

/** What anything thrown says to the user; a defect says its message too. `during` is what was done to the service. */
export function explainThrown(thrown: unknown, during: "read" | "write"): readonly ProviderDiagnostic[] {
  if (thrown instanceof ProviderProblem) return thrown.diagnostics;
  if (thrown instanceof Problem) return thrown.diagnostics.map(plain);
  if (thrown instanceof ServiceError)
    return [plain(during === "write" && thrown.status !== 401 ? refusedWrite(thrown) : explainServiceError(thrown))];
  const detail = thrownWords(thrown);
  if (thrown instanceof IncompleteAnswer || thrown instanceof UnresolvedAnswer)
    return [errorAt(undefined, "the service's answer is incomplete", detail)];
  return [errorAt(undefined, "the provider failed unexpectedly", detail)];
}

/** Explains what is thrown by a write of one resource: what the service says of a field is said at its attribute, in Terraform's words. */
export function explainWrite(thrown: unknown, resource: ResourceSchema): readonly ProviderDiagnostic[] {
  if (!(thrown instanceof ServiceError)) return explainThrown(thrown, "write");
  if (thrown.status === 409 && /\bname\b/i.test(thrown.serviceMessage ?? "")) return [takenName(thrown, resource)];
  const refusals = refusalsIn(thrown);
  const told = refusals.flatMap((refusal): ProviderDiagnostic[] => {
    const attribute = attributeOf(resource, refusal.field);
    return attribute === undefined ? [] : [refusedField(thrown, attribute, { ...refusal, resource })];
  });
  return told.length === refusals.length && told.length > 0 ? told : explainThrown(thrown, "write");
}

/** The fields that were refused; the first one may be in the message alone. */
function refusalsIn({ serviceMessage = "", fields = [] }: ServiceError): readonly FieldRefusal[] {
  const [, field = "", message = ""] = /^([a-z][^\s:]*): (.*?)(?: \(and \d+ more\))?$/s.exec(serviceMessage) ?? [];
  const isOwn = field !== "" && !fields.some((each) => each.field === field);
  return isOwn ? [{ field, message }, ...fields] : fields;
}

/** The attribute that a member of a request is from, as the service names it: `main`, `providers[0].params.regions`. */
function attributeOf({ attributes }: ResourceSchema, field: string): string | undefined {
  const [member = ""] = field.split(/[.[]/);
  return attributes.find(({ source }) => {
    if (source.is !== "field" || source.path.length > 1) return false;
    return (source.field.wire?.name ?? source.path[0]) === member;
  })?.name;
}

interface Refusal extends FieldRefusal {
  readonly resource: ResourceSchema;
}

function refusedField(
  { status }: ServiceError,
  attribute: string,
  { resource, field, message }: Refusal,
): ProviderDiagnostic {
  const within = /[.[]/.test(field) ? ` of ${field}` : "";
  const detail = `It says${within}: ${inTerraformWords(resource.attributes, message)}`;
  return errorAt([attribute], `the service refused ${attribute} (status ${status})`, detail);
}

/** Two resources that swap their names wait for each other, unless Terraform runs both at once. */
function takenName({ serviceMessage, message }: ServiceError, { type }: ResourceSchema): ProviderDiagnostic {
  const detail = `The service says: ${serviceMessage ?? message}. Where another ${type} of this configuration has the name and is to get another one, give one of them a third name, apply, then write the names that are meant; otherwise choose another name`;
  return errorAt(["name"], `the name of ${type} is taken`, detail);
}

function plain({ severity, summary, detail }: ProviderDiagnostic): ProviderDiagnostic {
  return { severity, summary, detail: withProviderBlock(detail) };
}

/** The most characters of a value that a message repeats. */
const mostShown = 60;

/** A value as a message repeats it: a long text is cut, and its length is said instead. */
export function quoted(value: Json): string {
  const characters = typeof value === "string" ? [...value] : [];
  if (characters.length <= mostShown) return JSON.stringify(value);
  return `${JSON.stringify(`${characters.slice(0, mostShown).join("")}…`)} (${characters.length} characters)`;
}

/** What a session says of reads that failed. */
export interface ReadFailures {
  /** Of a refresh: nothing where the same cause was said before, for Terraform's walk has failed by then. */
  readonly ofRefresh: (thrown: unknown) => readonly ProviderDiagnostic[];
  /** Runs checks that have to ask the service, as long as it answers: one that does not may be there at the apply. */
  readonly ofChecks: (check: () => Promise<readonly ProviderDiagnostic[]>) => Promise<readonly ProviderDiagnostic[]>;
}

/** The failures of one connection, each cause once. */
export function reportOnce(): ReadFailures {
  const told = new Set<string>();
  let isSilent = false;
  const once = (thrown: unknown) =>
    explainThrown(thrown, "read").filter(({ summary, detail }) => {
      // What was asked for differs from object to object, the reason does not.
      const isService = thrown instanceof ServiceError || thrown instanceof IncompleteAnswer;
      const cause = isService ? summary : `${summary}: ${detail}`;
      const isNew = !told.has(cause);
      told.add(cause);
      return isNew;
    });
  return {
    ofRefresh: once,
    async ofChecks(check) {
      if (isSilent) return [];
      try {
        return await check();
      } catch (thrown) {
        isSilent = true;
        return once(thrown).map((each) => (isUnanswered(thrown) ? unchecked(each) : each));
      }
    },
  };
}

function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.status === undefined;
}

function unchecked({ summary, detail }: ProviderDiagnostic): ProviderDiagnostic {
  const left = "The plan was made without a look at whether the service has what it refers to";
  return { severity: "warning", summary, detail: `${detail}. ${left}` };
}
