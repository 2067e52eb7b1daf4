import { isObject, type Json } from "../model/json.ts";
import { loadRows } from "./replica-loads.ts";
import type { Survey } from "./survey.ts";
import {
  amountIn,
  documentedWord,
  idIn,
  momentIn,
  stampOf,
  textIn,
  textOrNull,
  type Wire,
  wireIn,
  wiresBelow,
} from "./wire-values.ts";

/** The state of a bundled service, as its snapshots have it. */
export interface ReplicaState {
  readonly format: string;
  readonly next: Readonly<Record<string, number>>;
  readonly salt: string;
  readonly tables: Readonly<Record<string, readonly Json[]>>;
}

type Row = Readonly<Record<string, Json>>;

/** The state of a bundled service that has the surveyed objects under their ids. What is of another type than documented is replaced. */
export function replicaState(survey: Survey): ReplicaState {
  const tables: Record<string, readonly Row[]> = {
    ...ownerRows(survey),
    ...runnerRows(survey),
    ...testCaseRows(survey),
    ...loadRows(survey),
  };
  const present = Object.entries(tables).flatMap(([name, rows]) => (rows.length === 0 ? [] : [[name, unique(rows)]]));
  return { format: "loadform-service/1", next: {}, salt: "conformance", tables: Object.fromEntries(present) };
}

function ownerRows({ organization: organizationId, login, organizationData, vcsRoots, tags }: Survey) {
  const data = wireIn(organizationData, "data") ?? {};
  const user = wireIn(login, "user") ?? {};
  const userId = Math.max(idIn(user), 1);
  const from = { organizationId };
  return {
    organization: [
      {
        ...stampOf({ ...data, id: organizationId }),
        ...{ name: textIn(data["name"]), email: textOrNull(data["email"]), settings: {} },
        ...{ public: data["public"] === true, shared: data["shared"] === true, active: data["active"] !== false },
      },
    ],
    user: [
      {
        ...stampOf({ ...user, id: userId }),
        ...{ name: textIn(user["name"]), email: textOrNull(user["email"]), lastLoggedIn: null, accessType: "Admin" },
        ...{ confirmed: true, active: true, authSource: "Password", secrets: {} },
      },
    ],
    grant: [{ ...stampOf({ id: 1 }), userId, organizationId, userRole: "Admin" }],
    vcsRoot: vcsRoots.map((wire) => ({
      ...{ ...stampOf(wire), ...from, name: textIn(wire["name"]), vcsType: textIn(wire["vcsType"], "Git") },
      ...{ url: textIn(wire["url"]), branch: textIn(wire["branch"], "HEAD"), secrets: {} },
      vcsAuthType: documentedWord(wire["vcsAuthType"], ["None", "Username", "PrivateKey"]),
      ...{ username: textOrNull(wire["username"]), privateKeyName: textOrNull(wire["privateKeyName"]) },
    })),
    tag: tags.map((wire) => ({ ...stampOf(wire), ...from, name: textIn(wire["name"]) })),
  };
}

function runnerRows({ providers, organization }: Survey) {
  const region = providers.flatMap((provider) =>
    wiresBelow(provider, "regions").map((wire) => ({
      ...{ ...stampOf(wire), providerId: idIn(provider), name: textIn(wire["name"]) },
      ...{ description: textOrNull(wire["description"]), active: wire["active"] !== false },
      location: locationOf(wireIn(wire, "location")),
    })),
  );
  return {
    provider: providers.map((wire) => ({
      ...{ ...stampOf(wire), name: textIn(wire["name"]), public: wire["public"] === true },
      organizationId: wire["public"] === true ? null : organization,
      providerType: documentedWord(wire["providerType"], ["Shared", "CloudOnDemand"]),
      ...{ metadata: {}, active: true, secrets: {} },
    })),
    region,
  };
}

function locationOf(wire: Wire | undefined): Json {
  if (wire === undefined || idIn(wire) < 0) return null;
  const { latitude, longitude } = wire;
  return { id: idIn(wire), name: textIn(wire["name"]), latitude: amountIn(latitude), longitude: amountIn(longitude) };
}

function testCaseRows({ testCases, organization: organizationId, recordings }: Survey) {
  const gateway = testCases.flatMap((testCase) =>
    wiresBelow(testCase, "gateways").map((wire) => ({
      ...{ ...stampOf(wire), testCaseId: idIn(testCase), name: textIn(wire["name"]), active: true },
      keys: wiresBelow(wire, "keys").map((key) => ({
        ...{ ...stampOf(key), key: textIn(key["key"]), url: textIn(key["url"]), isPrimary: key["isPrimary"] === true },
      })),
    })),
  );
  return {
    testCase: testCases.map((wire) => ({
      ...{ ...stampOf(wire), organizationId, name: textIn(wire["name"]), active: true },
      description: textOrNull(wire["description"]),
      ...(typeof wire["folder"] === "string" && { folder: wire["folder"] }),
    })),
    gateway,
    recording: recordings.map(({ gatewayId, wire }) => ({
      ...{ ...stampOf(wire), gatewayId, name: textIn(wire["name"]), running: wire["running"] === true },
      ...{ startedAt: momentIn(wire["startedAt"]), limitBreached: wire["limitBreached"] === true },
      finishedAt: typeof wire["finishedAt"] === "string" ? momentIn(wire["finishedAt"]) : null,
      ...{
        trafficSizeBytes: amountIn(wire["trafficSizeBytes"]),
        trafficConnections: amountIn(wire["trafficConnections"]),
      },
      ...(isObject(wire["script"]) && { scriptId: idIn(wire["script"]) }),
    })),
  };
}

/** An id twice in an answer is one object. */
function unique(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row["id"], row])).values()];
}
