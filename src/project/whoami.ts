import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import { redactor } from "../model/redact.ts";
import { type Organization, organizationsMeant, organizationsOf } from "../remote/find-organization.ts";
import { orExplained } from "./explain-failure.ts";
import { openClient } from "./open-client.ts";
import { type LoadedProject, loadFolder, openImportTarget } from "./open-project.ts";
import type { ProjectFlags, System } from "./system.ts";

/** The user and organization behind the API key. */
export interface WhoAmI {
  readonly service?: { readonly url: string; readonly embedded: boolean };
  readonly user?: { readonly name: string; readonly email: string };
  readonly organizations: readonly Organization[];
  /** The project's organization, when it is clear. */
  readonly organization?: number;
  /** The declared `service.organization`. */
  readonly asked?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Asks the service for the key's user and organizations: what `loadform whoami` prints. A refused key is a diagnostic. */
export async function whoami(flags: ProjectFlags, system: System): Promise<WhoAmI> {
  return orExplained<WhoAmI>(
    async () => {
      const project = await projectOrService(flags, system);
      if (hasErrors(project.diagnostics)) return { organizations: [], diagnostics: project.diagnostics };
      return askService(project, system);
    },
    (diagnostics) => ({ organizations: [], diagnostics }),
  );
}

async function askService(project: LoadedProject, system: System): Promise<WhoAmI> {
  const { client, close } = await openClient(project, { root: project.root, system });
  const login: unknown = await client.call("GET /login").finally(close);
  const { service, live, diagnostics } = project;
  const organizations = organizationsOf(login);
  const user = isObject(login) && isObject(login["user"]) ? login["user"] : undefined;
  const matching = organizationsMeant(organizations, service.organization);
  const [only] = matching;
  return {
    service: { url: service.url, embedded: !live },
    ...(user && { user: { name: String(user["name"] ?? ""), email: String(user["email"] ?? "") } }),
    organizations,
    ...(only && matching.length === 1 && { organization: only.id }),
    ...(service.organization === undefined ? {} : { asked: redactor(project.secrets)(String(service.organization)) }),
    diagnostics,
  };
}

/** The project; a folder without one has the service of $LOADFORM_URL, as for an import. */
export async function projectOrService(flags: ProjectFlags, system: System): Promise<LoadedProject> {
  const project = await loadFolder(flags, system, { unsetEnv: "warning" });
  const isEmpty = project.diagnostics.some(({ code }) => code === "LF1001");
  if (!isEmpty || (system.env["LOADFORM_URL"] ?? "") === "") return project;
  return (await openImportTarget(project.root, { kinds, env: system.env })).project;
}
