import { resolve } from "node:path";
import { graphProject } from "../../project/graph-project.ts";
import { redactSecrets } from "../../project/known-secrets.ts";
import { graphText } from "../../report/graph/graph-text.ts";
import { type Command, projectFlags } from "../command.ts";
import { systemOf } from "../system-of.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { redactGraph, withoutSecrets } from "../views/redact-output.ts";

/** `loadform graph`: the declared objects and what they depend on, offline; Mermaid unless another format is named. */
export const graph: Command = async (input) => {
  const { terminal, flags, args, env, cwd } = input;
  const [dir] = args;
  const { drawn, diagnostics } = await graphProject(projectFlags(input, dir), systemOf(input));
  printDiagnostics(terminal, withoutSecrets(diagnostics, undefined, env), resolve(cwd, dir ?? "."));
  if (drawn === undefined) return 1;
  const { project } = drawn;
  const redact = redactSecrets(env, { secrets: project.secrets, nodes: project.tree.nodes.values() });
  terminal.out(graphText(redactGraph(drawn.graph, redact), flags.graphFormat ?? "mermaid", redact(project.name)));
  return 0;
};
