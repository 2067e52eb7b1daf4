import type { RouteTable } from "./route-descriptor.ts";
import { scenarioShapes } from "./shapes-scenarios.ts";

const vcsRootInput = scenarioShapes.vcsRootInput;

/** Seed 1, Repositories. */
export const repositoryRoutes = {
  "GET /vcs-roots": { seed: "1 Repositories", answer: "@vcsRoot[]" },
  "GET /orgs/:orgId/vcs-roots": {
    seed: "1 Repositories",
    answer: "@vcsRoot[]",
    decision: "The list of one organization, as for test cases.",
  },
  "GET /vcs-roots/:vcsRootId": { seed: "1 Repositories", answer: "@vcsRoot" },
  "GET /vcs-root/:vcsRootId/refs": {
    seed: "1 Repositories",
    answer: "string[]",
    aliases: ["/vcs-roots/:vcsRootId/refs"],
    later: true,
  },
  "POST /vcs-root/refs": {
    seed: "1 Repositories",
    body: vcsRootInput,
    answer: "string[]",
    aliases: ["/vcs-roots/refs"],
    later: true,
  },
  "POST /vcs-root/:vcsRootId/refs": {
    seed: "1 Repositories",
    body: vcsRootInput,
    bodyOptional: true,
    answer: "string[]",
    aliases: ["/vcs-roots/:vcsRootId/refs"],
    later: true,
  },
  "POST /orgs/:orgId/vcs-roots": {
    seed: "1 Repositories",
    body: { ...vcsRootInput, name: "string!", url: "string!" },
    answer: "@vcsRoot",
  },
  "HEAD /vcs-roots/:vcsRootId": { seed: "1 Repositories", answer: "none" },
  "PUT /vcs-roots/:vcsRootId": { seed: "1 Repositories", body: vcsRootInput, answer: "@vcsRoot" },
  "DELETE /vcs-roots/:vcsRootId": { seed: "1 Repositories", answer: "@vcsRoot" },
} as const satisfies RouteTable;
