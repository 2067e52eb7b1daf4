import { barePath } from "./core/router.ts";

/** One request as the log keeps it. No body and no credentials are kept. */
export interface RequestEntry {
  /** Counted from 1. */
  readonly id: number;
  /** When it arrived by the clock of the service, ISO 8601. */
  readonly at: string;
  /** In capitals. */
  readonly method: string;
  /** Without query. */
  readonly path: string;
  /** The query, with key and session ids masked. */
  readonly query?: string;
  /** 0 when the connection was cut before anything happened. */
  readonly status: number;
  /** From its arrival to its answer, in milliseconds. */
  readonly durationMs: number;
  /** Body fields and query parameters (`?name`) that nothing read. */
  readonly unknownFields: readonly string[];
  /** The route that matched. */
  readonly route?: string;
  /** The routes that came closest, where none matched. */
  readonly nearest?: readonly string[];
  /** Who carries out the run that the answer was about. */
  readonly engine?: string;
}

const capacity = 100_000;

/** The ordered request log; the oldest entries are dropped when it is full. */
export class RequestLog {
  #entries: RequestEntry[] = [];
  #next = 1;

  get entries(): readonly RequestEntry[] {
    return this.#entries;
  }

  add(entry: Omit<RequestEntry, "id">): void {
    this.#entries.push({ id: this.#next++, ...entry });
    if (this.#entries.length > capacity + capacity / 10) this.#entries = this.#entries.slice(-capacity);
  }

  /** Entries of a method and a path, in the order of arrival; a path, under `/api` or not, matches exactly or in the route table's spelling. */
  select(method: string | undefined, wanted: string | undefined): readonly RequestEntry[] {
    const path = wanted === undefined ? undefined : barePath(wanted);
    return this.#entries.filter(
      (entry) =>
        (method === undefined || entry.method === method.toUpperCase()) &&
        (path === undefined || entry.path === path || entry.route?.split(" ")[1] === path),
    );
  }

  clear(): void {
    this.#entries = [];
  }
}

/** A query as text with the values of `key` and `sid` masked, and of all that a script takes. */
export function maskedQuery(query: URLSearchParams, takesAny: boolean): string | undefined {
  if (query.size === 0) return undefined;
  const pairs = [...query].map(([name, value]): [string, string] => [
    name,
    takesAny || name === "key" || name === "sid" ? "***" : value,
  ]);
  return new URLSearchParams(pairs).toString();
}
