import { moduleKeyOrder, projectKeyOrder } from "../../authoring/project-key-order.ts";
import type { ParseCache } from "../../config/parse-cache.ts";
import { kinds } from "../../kinds/index.ts";
import { serveLanguage } from "../../lsp/language-server.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { formatYaml } from "../../yaml/format-yaml.ts";
import { checkOffline, loadFrom, offline } from "../open-project.ts";
import { askedEnvironment, type ProjectFlags, type System } from "../system.ts";

/**
 * Serves an editor over two streams: what `loadform lsp` does. Problems are those of one environment, the project's default unless one
 * is asked for. It neither runs a program of a project nor asks a service.
 */
export function serveEditor(
  streams: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  system: System,
  flags: Pick<ProjectFlags, "environment" | "vars">,
): void {
  const environment = askedEnvironment(flags.environment, system.env);
  const given = { ...flags, ...(environment !== undefined && { environment }) };
  const orders = { own: projectKeyOrder(kinds), module: moduleKeyOrder(kinds) };
  serveLanguage(streams, {
    kinds,
    hash: sha256,
    open: diskWorkspace,
    format: (text, isModule) => formatYaml(text, isModule ? orders.module : orders.own),
    version: system.version,
    async check(workspace: Workspace, cache: ParseCache) {
      const project = await loadFrom(workspace, given, { system, ...offline, cache });
      const { diagnostics, blocked } = await checkOffline({ ...project, root: workspace.root }, system);
      return [...diagnostics, ...blocked];
    },
  });
}
