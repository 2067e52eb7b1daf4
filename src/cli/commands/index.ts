import type { Command } from "../command.ts";

/** The code behind each command of the table, loaded when it runs: help must not pay for it. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import("./init.ts")).init,
  validate: async () => (await import("./validate.ts")).validate,
  plan: async () => (await import("./plan.ts")).plan,
  apply: async () => (await import("./apply.ts")).apply,
  destroy: async () => (await import("./apply.ts")).apply,
  show: async () => (await import("./show.ts")).show,
  import: async () => (await import("./import.ts")).importObjects,
  drift: async () => (await import("./drift.ts")).drift,
  snapshot: async () => (await import("./snapshot.ts")).snapshot,
  whoami: async () => (await import("./whoami.ts")).whoAmI,
  conformance: async () => (await import("./conformance.ts")).conformance,
  state: async () => (await import("./state.ts")).state,
  graph: async () => (await import("./graph.ts")).graph,
  expand: async () => (await import("./expand.ts")).expand,
  schema: async () => (await import("./schema.ts")).schema,
  lsp: async () => (await import("./lsp.ts")).lsp,
  fmt: async () => (await import("./fmt.ts")).fmt,
  serve: async () => (await import("./serve.ts")).serve,
  terraform: async () => (await import("./terraform.ts")).terraform,
  completion: async () => (await import("./completion.ts")).completion,
  run: async () => (await import("./run.ts")).run,
  report: async () => (await import("./report.ts")).report,
  watch: async () => (await import("./watch.ts")).watch,
  explain: async () => (await import("./explain.ts")).explainCode,
};

/** Loads the code of a command of the table by the first word of its name. */
export async function loadCommand(name: string) {
  const [word = ""] = name.split(" ");
  const load = loaders[word];
  if (load === undefined) throw new Error(`the table of commands has ${name}, and no file has its code`);
  return load();
}
