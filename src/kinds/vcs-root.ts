import { choice, text } from "../model/field.ts";
import type { JsonObject } from "../model/json.ts";
import { defineKind, type RuleFinding } from "../model/kind.ts";
import { finding, isSet, objectName, readableName, schemeOf, urlRule } from "./field-parts.ts";
import { listedWires, read, write } from "./remote-calls.ts";

const authentication = {
  by: "vcsAuthType",
  default: "None",
  owns: { None: [], Username: ["username", "password"], PrivateKey: ["privateKey", "privateKeyName"] },
};

/** API 1, Repository: a git repository that scenarios are cloned from. */
export const vcsRoot = defineKind({
  name: "vcsRoot",
  plural: "vcsRoots",
  description: "A repository: where scenario sources are cloned from.",
  fields: {
    name: objectName("Label of the repository."),
    vcsType: text({
      description: "Type of the repository; only git is supported.",
      default: "Git",
      examples: ["Git"],
      normalize: (value) => (typeof value === "string" && value.toLowerCase() === "git" ? "Git" : value),
    }),
    url: text({
      description: "Where to clone from: http(s) or ssh.",
      examples: ["https://git.example.com/load.git", "git@git.example.com:load.git"],
      required: true,
      trim: true,
    }),
    branch: text({ description: "Branch that is cloned by default.", default: "HEAD", examples: ["main"] }),
    vcsAuthType: choice(["None", "Username", "PrivateKey"], { description: "How to authenticate.", default: "None" }),
    username: text({ description: "User name; needs vcsAuthType Username and an http(s) url." }),
    password: text({
      description: "Password or token; needs vcsAuthType Username.",
      examples: [`\${env:GIT_TOKEN}`],
      secret: true,
    }),
    privateKey: text({
      description: "Private key file for ssh (its text or its base64); needs vcsAuthType PrivateKey.",
      examples: [`\${env:GIT_KEY}`],
      secret: true,
      wire: { write: (value) => (typeof value === "string" ? keyAsBase64(value) : value) },
    }),
    privateKeyName: text({ description: "Label of the private key." }),
  },
  variants: [authentication],
  rules: [
    readableName,
    { origin: "documented", section: "1 Repositories", check: onlyGit },
    urlRule("url", ["http:", "https:", "ssh:", "git+ssh:", "file:"], { origin: "decision", section: "1 Repositories" }),
    { origin: "documented", section: "1 Repositories", check: authAgainstScheme },
    { origin: "decision", section: "service 1.2.2", check: secretsRequired },
    { origin: "decision", section: "service 1.2.2", check: authenticationMissing },
  ],
  remote: {
    needs: ["url"],
    async list({ api, organization }) {
      return listedWires(
        await api.call("GET /orgs/:orgId/vcs-roots", { params: { orgId: organization } }),
        "vcs roots",
      );
    },
    read: read("GET /vcs-roots/:vcsRootId", (id) => ({ params: { vcsRootId: id } })),
    create: write("POST /orgs/:orgId/vcs-roots", ({ organization }) => ({ orgId: organization })),
    update: write("PUT /vcs-roots/:vcsRootId", ({ id }) => ({ vcsRootId: id })),
    remove: ({ api, id }) => api.call("DELETE /vcs-roots/:vcsRootId", { params: { vcsRootId: id } }),
  },
});

/** The wire wants base64 of the key file; text that is base64 already remains as it is. */
function keyAsBase64(value: string): string {
  const compact = value.replace(/\s+/g, "");
  const isBase64 = !value.includes("-----") && compact.length % 4 === 0 && /^[A-Za-z0-9+/]+=*$/.test(compact);
  return isBase64 ? compact : btoa(String.fromCharCode(...new TextEncoder().encode(value)));
}

function onlyGit(fields: JsonObject): readonly RuleFinding[] {
  const type = fields.vcsType;
  if (typeof type !== "string" || type.toLowerCase() === "git") return [];
  return [finding(["vcsType"], "unsupported repository type", `"${type}" is not supported. The only type is Git`)];
}

function authAgainstScheme(fields: JsonObject): readonly RuleFinding[] {
  const scheme = typeof fields.url === "string" ? schemeOf(fields.url) : undefined;
  if (scheme === undefined) return [];
  const web = scheme === "http:" || scheme === "https:";
  const refuse = (needs: string, wanted: string) => [
    finding(
      ["url"],
      `${fields.vcsAuthType} authentication requires an ${needs} url`,
      `The url has the scheme ${scheme}. Use ${wanted}`,
    ),
  ];
  if (fields.vcsAuthType === "Username" && !web) return refuse("http(s)", "https://…, or vcsAuthType PrivateKey");
  if (fields.vcsAuthType === "PrivateKey" && web)
    return refuse("ssh", "ssh://… or user@host:path, or vcsAuthType Username");
  return [];
}

function secretsRequired(fields: JsonObject): readonly RuleFinding[] {
  const needed = { Username: ["username", "password"], PrivateKey: ["privateKey"] }[String(fields.vcsAuthType)] ?? [];
  return needed
    .filter((field) => fields[field] === undefined || fields[field] === null)
    .map((field) => {
      const summary = `${String(fields.vcsAuthType)} authentication needs ${field}`;
      return finding(["vcsAuthType"], summary, `This vcsAuthType needs ${field}`);
    });
}

/** Without a word the repository would be cloned without them: whoever chooses an authentication knows what it uses. */
function authenticationMissing(fields: JsonObject): readonly RuleFinding[] {
  if (isSet(fields.vcsAuthType)) return [];
  return Object.entries(authentication.owns).flatMap(([owner, names]) =>
    names
      .filter((name) => isSet(fields[name]))
      .map((name) => finding([name], `${name} has no effect`, `It needs vcsAuthType ${owner}: set that, or remove it`)),
  );
}
