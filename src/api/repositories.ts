import { type RouteTable, stored } from "./descriptors.ts";

const repositoryFields = {
  name: "string",
  vcsType: "string",
  url: "string",
  branch: "string",
  vcsAuthType: "None|Username|PrivateKey",
  username: "string",
  privateKeyName: "string",
} as const;

/** API 1, Repository. */
export const repositoryShapes = {
  vcsRoot: { ...stored, ...repositoryFields },
  vcsRootInput: { ...repositoryFields, password: "string", privateKey: "string" },
} as const;

/** API 1, Repositories. */
export const repositoryRoutes = {
  "GET /vcs-roots": { section: "1 Repositories", answer: "@vcsRoot[]" },
  "GET /orgs/:orgId/vcs-roots": {
    section: "1 Repositories",
    answer: "@vcsRoot[]",
    decision: "The list of one organization, as for test cases.",
  },
  "GET /vcs-roots/:vcsRootId": { section: "1 Repositories", answer: "@vcsRoot" },
  "GET /vcs-root/:vcsRootId/refs": {
    section: "1 Repositories",
    answer: "string[]",
    aliases: ["/vcs-roots/:vcsRootId/refs"],
    decision: "400 when the repository cannot be asked; one with credentials is asked by the POST that gives them.",
  },
  "POST /vcs-root/refs": {
    section: "1 Repositories",
    body: repositoryShapes.vcsRootInput,
    answer: "string[]",
    aliases: ["/vcs-roots/refs"],
    decision: "400 when the repository cannot be asked; it needs no name.",
  },
  "POST /vcs-root/:vcsRootId/refs": {
    section: "1 Repositories",
    body: repositoryShapes.vcsRootInput,
    bodyOptional: true,
    answer: "string[]",
    aliases: ["/vcs-roots/:vcsRootId/refs"],
    decision: "400 when the repository cannot be asked; a stored password or key has to be given again.",
  },
  "POST /orgs/:orgId/vcs-roots": {
    section: "1 Repositories",
    body: { ...repositoryShapes.vcsRootInput, name: "string!", url: "string!" },
    answer: "@vcsRoot",
  },
  "HEAD /vcs-roots/:vcsRootId": { section: "1 Repositories", answer: "none" },
  "PUT /vcs-roots/:vcsRootId": { section: "1 Repositories", body: repositoryShapes.vcsRootInput, answer: "@vcsRoot" },
  "DELETE /vcs-roots/:vcsRootId": { section: "1 Repositories", answer: "@vcsRoot" },
} as const satisfies RouteTable;
