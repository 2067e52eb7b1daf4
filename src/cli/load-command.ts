/** The code behind each command of the table, loaded when it runs: help must not pay for it. */
const loaders = {
  init: async () => (await import("./commands/init.ts")).init,
  validate: async () => (await import("./commands/validate.ts")).validate,
  plan: async () => (await import("./commands/plan.ts")).plan,
  apply: async () => (await import("./commands/apply.ts")).apply,
  destroy: async () => (await import("./commands/apply.ts")).apply,
  show: async () => (await import("./commands/show.ts")).show,
  import: async () => (await import("./commands/import.ts")).importObjects,
  drift: async () => (await import("./commands/drift.ts")).drift,
  whoami: async () => (await import("./commands/whoami.ts")).whoAmI,
  state: async () => (await import("./commands/state.ts")).state,
  graph: async () => (await import("./commands/graph.ts")).graph,
  schema: async () => (await import("./commands/editor.ts")).schema,
  fmt: async () => (await import("./commands/fmt.ts")).fmt,
  serve: async () => (await import("./commands/serve.ts")).serve,
  terraform: async () => (await import("./commands/terraform.ts")).terraform,
  completion: async () => (await import("./commands/completion.ts")).completion,
  run: async () => (await import("./commands/run.ts")).run,
  report: async () => (await import("./commands/report.ts")).report,
  watch: async () => (await import("./commands/watch.ts")).watch,
  lsp: async () => (await import("./commands/editor.ts")).lsp,
  explain: async () => (await import("./commands/explain.ts")).explainCode,
};

/** Loads the code of a command by the first word of its name; undefined for one that is not built yet. */
export async function loadCommand(name: string) {
  const [word = ""] = name.split(" ");
  return isBuilt(word) ? loaders[word]() : undefined;
}

function isBuilt(word: string): word is keyof typeof loaders {
  return Object.hasOwn(loaders, word);
}
