const frame = /\b((?:init|main|teardown)\.(?:js|ts)):(\d+)(?::(\d+))?/;

/** A thrown value in one line, with its place in the script: a script may throw anything. */
export function describeError(thrown: unknown): string {
  try {
    if (!isError(thrown)) return `threw ${typeof thrown === "string" ? JSON.stringify(thrown) : String(thrown)}`;
    const [at] = frame.exec(String(thrown.stack)) ?? [];
    const words = `${String(thrown.name)}: ${String(thrown.message)}`.replace(/\s+/g, " ").slice(0, 2_000);
    return at === undefined || words.includes(at) ? words : `${words} (${at})`;
  } catch {
    return "threw something that cannot be read";
  }
}

/** Name, message and stack of what a test threw. */
export function errorParts(thrown: unknown): { readonly type: string; readonly error: string; readonly trace: string } {
  try {
    if (!isError(thrown)) return { type: typeof thrown, error: String(thrown), trace: "" };
    const lines = String(thrown.stack).split("\n");
    const own = lines.filter((line) => !line.includes("node:") && !/\[worker(?: eval)?\]|evalmachine/.test(line));
    return { type: String(thrown.name), error: String(thrown.message), trace: own.join("\n").slice(0, 4_000) };
  } catch {
    return { type: "Error", error: "threw something that cannot be read", trace: "" };
  }
}

function isError(thrown: unknown): thrown is Error {
  return typeof thrown === "object" && thrown !== null && "message" in thrown;
}
