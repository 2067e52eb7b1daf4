/** Origin of the rule by which a request is refused: the API's documents state it, or we decided it. */
export type RuleOrigin = "documented" | "decision";

/** One invalid field of a request. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

const codes: Readonly<Record<number, string>> = {
  400: "INVALID",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "CONFLICT",
  410: "GONE",
  413: "TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL",
  501: "NOT_IMPLEMENTED",
  503: "UNAVAILABLE",
  507: "INSUFFICIENT_STORAGE",
};

/** A request that the service refuses: status, `{code, message, errors}`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  /** It is a decision unless the documents clearly state that such a request is wrong. */
  readonly origin: RuleOrigin;

  constructor(
    status: number,
    message: string,
    more: {
      readonly errors?: readonly FieldError[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly origin?: RuleOrigin;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.origin = more.origin ?? "decision";
  }

  /** The error body. */
  body(): { readonly code: string; readonly message: string; readonly errors?: readonly FieldError[] } {
    const { message, errors } = this;
    return { code: errorCode(this.status), message, ...(errors.length > 0 ? { errors } : {}) };
  }
}

/** The message of an error, or whatever else was thrown as text. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of a status. */
export function errorCode(status: number): string {
  return codes[status] ?? "ERROR";
}

/** The rest of a field's path after another one's; empty when it does not begin with that. */
function partOf(other: string, field: string): string {
  return other.startsWith(field) ? other.slice(field.length) : "";
}

/** Collects the invalid fields of a request, so that all are reported at once. */
export class Findings {
  readonly errors: FieldError[] = [];
  /** One finding by a documented rule is enough for a service with other decisions to refuse the request too. */
  #origin: RuleOrigin = "decision";

  /** One message per field; of a field in whose parts something was found, the parts say it all. */
  add(field: string, message: string, origin: RuleOrigin = "decision"): void {
    if (origin === "documented") this.#origin = origin;
    const known = ({ field: other }: FieldError) => other === field || /^[.[]/.test(partOf(other, field));
    if (!this.errors.some(known)) this.errors.push({ field, message });
  }

  /** Refuses the request when anything was found. */
  check(): void {
    const [first] = this.errors;
    if (first === undefined) return;
    const more = this.errors.length > 1 ? ` (and ${this.errors.length - 1} more)` : "";
    throw new Refusal(400, `${first.field}: ${first.message}${more}`, {
      errors: [...this.errors],
      origin: this.#origin,
    });
  }
}
