import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, mostly because they wait. vitest begins with the largest files while it does not know how long each took, as
 * in a fresh clone; a small file that takes a minute would be begun last, and run while the other workers have nothing left to do.
 */
const longest = [
  "e2e/pipeline-github",
  "scripts/installed-package",
  "e2e/pipeline-gitlab",
  "watch/queue/fleet",
  "docs/pages",
  "service/executions/live-load-end",
  "e2e/lock-timeout",
  "scripts/install-lines",
  "stores/git/git-remote",
  "e2e/lock-processes",
  "e2e/killed-remote",
  "e2e/terraform-senseless",
  "import/killed-import",
  "e2e/zombie-apply",
  "e2e/large-project",
  "cli/commands/completion",
  "stores/git/git-conformance",
  "e2e/watch-fleet",
  "service/pages/console",
  "e2e/run-served",
  "e2e/killed-apply",
  "e2e/interrupted-apply",
  "e2e/import-terraform",
  "e2e/terraform-interrupted",
  "mutants/mutants",
  "service/pages/console-runs",
  "e2e/hostile-watch",
  "kubernetes/containerfile",
  "terraform/plugin/real-terraform",
  "e2e/terraform-killed",
  "watch/status/page-browser",
  "e2e/every-field",
  "report/runs/run-page-browser",
  "service/requests/flat-memory",
  "report/pages/plan-page-browser",
  "lsp/large-project",
  "service/pages/console-trouble",
  "e2e/watch",
  "e2e/interrupt-apply",
  "stores/git/git-store",
  "conformance/found-deviations",
  "service/pages/docs",
  "cli/code-cache",
  "watch/process/run-check",
  "service/scripts/limits",
  "stores/postgres/postgres-store",
  "e2e/run-gates",
  "terraform/plugin/run-plugin",
  "service/pages/console-journeys",
  "cli/commands/serve",
  "stores/git/git-places",
  "e2e/terraform-secrets",
  "e2e/killed-run",
  "e2e/terraform-life",
  "service/openapi/generated-client",
  "e2e/watch-onward",
  "terraform/resource/senseless",
  "watch/git/git-checkouts",
  "e2e/terraform-conformance",
  "service/store/two-processes",
  "scripts/prepare",
  "e2e/terraform-order",
  "e2e/terraform-random",
  "scripts/provider-packages",
  "conformance/applied-deviations",
  "e2e/guards",
  "service/pages/report-browser",
  "watch/queue/work-queue",
  "e2e/cdktf-program",
  "e2e/state-commands",
  "authoring/compiled-program",
  "stores/local/lock-file",
];

/** The order of the test files: the longest of each project first, all others as vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((each) => each.project === project).sort((one, other) => rank(one) - rank(other)),
    );
  }
}
