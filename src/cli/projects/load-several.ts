import type { Command, CommandInput } from "../command.ts";

/** The code behind commands on several projects, loaded when one runs. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  validate: async () => (await import("./validate-all.ts")).validateAll,
  fmt: async () => (await import("./fmt-all.ts")).fmtAll,
  drift: async () => (await import("./drift-all.ts")).driftAll,
  apply: async () => (await import("./apply-all.ts")).applyAll,
  plan: async () => (await import("./plan-all.ts")).planAll,
};

/** Loads the code of a command whose arguments mean several projects: more than one, or a glob; undefined for any other. */
export async function loadSeveral({
  spec,
  args: [only = ".", ...more],
  cwd,
}: Pick<CommandInput, "spec" | "args" | "cwd">): Promise<Command | undefined> {
  if (!Object.hasOwn(loaders, spec.name)) return undefined;
  // For one plain folder nothing more is loaded than before.
  if (more.length === 0 && !/[*?[{]/.test(only)) return undefined;
  const { isGlob } = await import("../../workspace/path-exists.ts");
  return more.length > 0 || (await isGlob(only, cwd)) ? loaders[spec.name]?.() : undefined;
}
