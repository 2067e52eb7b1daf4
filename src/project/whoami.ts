import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Organization } from "./connect.ts";
import { openClient, organizationsMeant, organizationsOf } from "./connect.ts";
import { openBase } from "./import-base.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import { orExplained } from "./problem.ts";
import type { ProjectFlags, World } from "./world.ts";

/** Who the service takes us for. */
export interface WhoAmI {
  readonly service?: { readonly url: string; readonly embedded: boolean };
  readonly user?: { readonly name: string; readonly email: string };
  readonly organizations: readonly Organization[];
  /** The one that the project is about, when it is clear. */
  readonly organization?: number;
  /** What `service.organization` says. */
  readonly asked?: string | number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Asks the service for the key's user and organizations: is everything set up? */
export async function whoami(flags: ProjectFlags, world: World): Promise<WhoAmI> {
  return orExplained<WhoAmI>(
    async () => {
      const project = await projectOrService(flags, world);
      if (hasErrors(project.diagnostics)) return { organizations: [], diagnostics: project.diagnostics };
      return askService(project, world);
    },
    (diagnostics) => ({ organizations: [], diagnostics }),
  );
}

async function askService(project: OpenProject, world: World): Promise<WhoAmI> {
  const { client, close } = await openClient(project, { root: project.root, world });
  try {
    return describe(await client.call("GET /login"), project.service, {
      embedded: !project.live,
      diagnostics: project.diagnostics,
    });
  } finally {
    await close();
  }
}

/** The project; a folder without one is about the service of $LOADFORM_URL, as for an import. */
async function projectOrService(flags: ProjectFlags, world: World): Promise<OpenProject> {
  const project = await loadFolder(flags, world, "warning");
  const isEmpty = project.diagnostics.some(({ code }) => code === "LF1001");
  if (!isEmpty || (world.env["LOADFORM_URL"] ?? "") === "") return project;
  return { ...(await openBase(project.root, world)).project, root: project.root };
}

function describe(
  login: unknown,
  service: { readonly url: string; readonly organization?: string | number },
  rest: { readonly embedded: boolean; readonly diagnostics: readonly Diagnostic[] },
): WhoAmI {
  const organizations = organizationsOf(login);
  const user = isObject(login) && isObject(login["user"]) ? login["user"] : undefined;
  const matching = organizationsMeant(organizations, service.organization);
  const [only] = matching;
  return {
    service: { url: service.url, embedded: rest.embedded },
    ...(user && { user: { name: String(user["name"] ?? ""), email: String(user["email"] ?? "") } }),
    organizations,
    ...(only && matching.length === 1 && { organization: only.id }),
    ...(service.organization === undefined ? {} : { asked: service.organization }),
    diagnostics: rest.diagnostics,
  };
}
