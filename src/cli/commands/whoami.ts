import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { type WhoAmI, whoami } from "../../project/whoami.ts";
import { cleanLine } from "../../report/terminal-text.ts";
import { type Command, projectFlags } from "../command.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";

/** `loadform whoami`: the service, the key's user and organizations. Is everything set up? */
export const whoAmI: Command = async (input) => {
  const { terminal, flags, args, env, cwd } = input;
  const [dir] = args;
  const found = await whoami(projectFlags(input, dir), systemOf(input));
  const diagnostics = withoutSecrets([...found.diagnostics, ...organizationProblems(found)], undefined, env);
  if (flags.json) printJson(terminal, withDiagnostics(whoamiDocument(found), diagnostics));
  else {
    if (found.service) terminal.out(whoamiText(found));
    printDiagnostics(terminal, diagnostics, resolve(cwd, dir ?? "."));
  }
  return hasErrors(diagnostics) ? 1 : 0;
};

/** A key of several organizations works, but no plan can be made until one is named; one that the key does not see is a mistake. */
function organizationProblems({ service, organization, organizations, asked }: WhoAmI): readonly Diagnostic[] {
  if (service === undefined || organization !== undefined) return [];
  const names = organizations.map(({ id, name }) => `${id} (${name})`).join(", ");
  const seen = `The key sees ${names === "" ? "no organization" : names}`;
  const found =
    asked === undefined
      ? seen
      : `${seen}: ${JSON.stringify(asked)} of service.organization is none of these, or more than one`;
  const detail = `${found}. Set service.organization to the organization of this project`;
  const severity = asked === undefined ? "warning" : "error";
  return [{ severity, code: "LF2004", summary: "it is unclear which organization to use", detail }];
}

function whoamiDocument({ service, user, organizations, organization }: WhoAmI): JsonObject {
  return {
    ...(service && { service: { ...service } }),
    ...(user && { user: { ...user } }),
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    ...(organization === undefined ? {} : { organization }),
  };
}

function whoamiText({ service, user, organizations, organization }: WhoAmI): string {
  const marked = (id: number) => (id === organization ? "*" : " ");
  const lines = [
    `service:       ${service?.url ?? "(none)"}${service?.embedded ? " (bundled)" : ""}`,
    `user:          ${user ? `${user.name} <${user.email}>` : "(unknown)"}`,
    "organizations:",
    ...organizations.map(({ id, name }) => `  ${marked(id)} ${id}  ${name}`),
  ];
  return `${lines.map((line) => cleanLine(line)).join("\n")}\n`;
}
