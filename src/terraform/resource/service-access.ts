import type { Api } from "../../api/routes.ts";
import { createClient, type Transport } from "../../client/index.ts";
import type { RemoteScope, Wire } from "../../model/kind.ts";
import { redactor } from "../../model/redact.ts";
import { sleepUnless } from "../../model/sleep-unless.ts";
import { findOrganization } from "../../remote/find-organization.ts";
import type { ServiceHabits } from "../../remote/write-object.ts";
import type { Environment, ProviderSettings } from "./provider-settings.ts";

/** What a session needs of the world around it. */
export interface ProviderSystem {
  readonly env: Environment;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Default: HTTP to the url of the provider block. */
  readonly transport?: Transport;
  /** Sensitive values that the sessions of this process have seen; those of this session by default. */
  readonly secrets?: Set<string>;
  /** Shared by the sessions of this process, by the url of their service; nothing by default. */
  readonly shared?: Map<string, SharedByConnections>;
  /** Runs what is given one after the other for each key, among processes, or once it need not wait any more; at once by default. */
  readonly oneOnMachine?: <T>(key: string, run: () => Promise<T>, stopped: AbortSignal) => Promise<T>;
  /** One line per request, for the debug log. */
  readonly log?: (line: string) => void;
  /** A line for a user who waits, at once: Terraform shows diagnostics at the end of an apply only. */
  readonly tell?: (line: string) => void;
}

/** Shared by the connections of one process to the same service. */
export interface SharedByConnections {
  /** Live handles that each of them read, made or bound. */
  readonly known: Set<string>[];
  /** Runs what is given one after the other for each key. */
  readonly oneAtATime: <T>(key: string, run: () => Promise<T>) => Promise<T>;
  /** Ids that schedules have since the service made them anew with their list, by the live handle of the former one. */
  readonly renumbered: Map<string, number>;
  /** The last answers to writes of configurations, by id: a later read may show less. */
  readonly answered: Map<number, Wire>;
}

/** The service of one configured provider. */
export interface ServiceAccess {
  readonly settings: ProviderSettings;
  readonly api: Api;
  /** Asked for once, when it is first needed. */
  readonly organization: () => Promise<number>;
  /** Whether it is the bundled service; asked for once. */
  readonly isBundled: () => Promise<boolean>;
  readonly scope: (address: string) => Promise<RemoteScope>;
  /** What was learnt of it. */
  readonly habits: ServiceHabits;
  readonly now: () => number;
  /** Sleeps, or less when Terraform is interrupted. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly stopped: AbortSignal;
  /** Runs what is given one after the other for each key of this service, among processes. */
  readonly oneOnMachine: <T>(key: string, run: () => Promise<T>) => Promise<T>;
  /** Says something at once. */
  readonly tell: (line: string) => void;
}

/** How long requests under way may take after an interrupt; Terraform waits for them. */
const graceMs = 5_000;

/** Opens the service that a provider block is about, without asking it anything yet. */
export function openService(settings: ProviderSettings, system: ProviderSystem, stopped: AbortSignal): ServiceAccess {
  const sleep = (ms: number) => sleepUnless(stopped, () => system.sleep(ms));
  const givenUp = new AbortController();
  stopped.addEventListener("abort", () => void system.sleep(graceMs).then(() => givenUp.abort()), { once: true });
  const api = createClient({
    url: settings.url,
    apiKey: settings.apiKey,
    auth: { header: settings.authHeader },
    env: system.env,
    clock: { now: system.now, sleep },
    signal: givenUp.signal,
    ...(system.transport && { transport: system.transport }),
    ...(system.log && { log: system.log }),
    ...(settings.tries !== undefined && { tries: settings.tries }),
  });
  const asked = settings.organization;
  const organization = once(async () =>
    asked !== undefined && /^\d+$/.test(asked)
      ? Number(asked)
      : findOrganization(api, asked, { setting: "organization" }),
  );
  return {
    settings,
    api,
    organization,
    isBundled: once(() => isBundledService(api)),
    scope: async (address) => ({ api, organization: await organization(), address }),
    habits: { putReplaces: false },
    now: system.now,
    sleep,
    stopped,
    oneOnMachine: (key, run) => system.oneOnMachine?.(`${key} ${settings.url}`, run, stopped) ?? run(),
    tell: (line) => system.tell?.(redactor(system.secrets ?? [])(line)),
  };
}

/** Only the bundled service has the routes of its own. */
async function isBundledService(api: Api): Promise<boolean> {
  try {
    return typeof (await api.call("GET /_loadform/health")).version === "string";
  } catch {
    return false;
  }
}

/** The same promise to all who ask; a failure is asked for again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((problem: unknown) => {
      asked = undefined;
      throw problem;
    });
    return asked;
  };
}
