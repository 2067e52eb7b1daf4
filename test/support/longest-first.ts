import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, mostly because they wait. vitest begins with the largest files while it does not know how long each took, as
 * in a fresh clone; a small file that takes a minute would be begun last, and run while the other workers have nothing left to do.
 */
const longest = [
  "scripts/installed-package",
  "e2e/pipeline-github",
  "docs/pages",
  "e2e/pipeline-gitlab",
  "stores/git/git-remote",
  "e2e/watch-fleet",
  "report/runs/run-page-browser",
  "e2e/killed-remote",
  "watch/queue/fleet",
  "stores/git/git-conformance",
  "report/pages/plan-page-browser",
  "e2e/hostile-watch",
  "service/executions/live-load-end",
  "service/openapi/generated-client",
  "service/pages/report-browser",
  "watch/status/page-browser",
  "e2e/lock-processes",
  "scripts/install-lines",
  "watch/loop/watcher-memory",
  "service/pages/docs",
  "e2e/run-served",
  "import/killed-import",
  "e2e/terraform-interrupted",
  "watch/queue/watch-command",
  "service/pages/console",
  "service/pages/console-trouble",
  "service/pages/console-runs",
  "e2e/import-terraform",
  "e2e/terraform-killed",
  "e2e/every-field",
  "mutants/mutants",
  "e2e/terraform-random",
  "e2e/zombie-apply",
  "e2e/lock-timeout",
  "e2e/interrupt-apply",
  "e2e/killed-apply",
  "e2e/killed-run",
  "watch/queue/work-queue",
  "cli/commands/serve",
  "stores/git/git-store",
  "terraform/plugin/real-terraform",
  "watch/process/run-check",
  "e2e/watch",
  "stores/postgres/postgres-store",
  "terraform/plugin/run-plugin",
  "e2e/run-gates",
  "e2e/canary",
  "service/scripts/limits",
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
