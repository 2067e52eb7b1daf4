import { getOrMake } from "../../model/group-by.ts";
import { validateResource } from "../check/validate-resource.ts";
import { readDataSource, validateDataSource } from "../data-source/read-data-source.ts";
import type { ProviderSession } from "../provider-session.ts";
import { attributesOf, resourceOf, schema } from "../values/resource-type.ts";
import { applyResource } from "./apply-resource.ts";
import { checkReferences } from "./check-references.ts";
import { importResource } from "./import-resource.ts";
import { keepSecrets } from "./keep-secrets.ts";
import { liveTrees } from "./live-trees.ts";
import { planResource } from "./plan-resource.ts";
import { explainThrown, refuse, reportOnce } from "./provider-problem.ts";
import { checkProviderConfig, providerSettings } from "./provider-settings.ts";
import { readResource } from "./read-resource.ts";
import { type ResourceContext, sharedByConnections, writesUnderWay } from "./resource-context.ts";
import { openService, type ProviderSystem, type ServiceAccess, type SharedByConnections } from "./service-access.ts";

/** A provider as one connection of Terraform sees it. */
export function createProviderSession(system: ProviderSystem): ProviderSession {
  const secrets = system.secrets ?? new Set();
  return keepSecrets(openSession({ ...system, secrets }), schema, secrets);
}

function contextOf(access: ServiceAccess, shared: SharedByConnections): ResourceContext {
  const known = new Set<string>();
  shared.known.push(known);
  return {
    access,
    trees: liveTrees(access),
    writes: writesUnderWay(access),
    known,
    isKnown: (handle) => shared.known.some((each) => each.has(handle)),
    deleted: new Set(),
    adopted: new Set(),
    given: new Set(),
    leaving: new Set(),
    offered: new Map(),
    shared,
  };
}

function openSession(system: ProviderSystem): ProviderSession {
  const stopping = new AbortController();
  let configured: ResourceContext | undefined;
  const context = (): ResourceContext =>
    configured ??
    refuse(
      undefined,
      "the provider is not configured yet",
      "The provider block has values that are known only after an apply. Apply what they are from first, with -target",
    );
  const failures = reportOnce();
  const { shared = new Map<string, SharedByConnections>() } = system;
  return {
    validateProvider: async (config) => checkProviderConfig(config),
    async configure(config) {
      const settings = providerSettings(config, system.env);
      if (settings === undefined) return [];
      if (!("url" in settings)) return settings;
      const access = openService(settings, system, stopping.signal);
      configured = contextOf(access, getOrMake(shared, settings.url, sharedByConnections));
      return [];
    },
    validateResource: async (type, config, capabilities) =>
      validateResource(resourceOf(type), attributesOf(config), capabilities),
    validateDataSource: async (type, config) => validateDataSource(type, config),
    planResource: (request) =>
      planResource(
        {
          now: system.now,
          isBundled: async () => (await configured?.access.isBundled()) ?? false,
          references: (planned) =>
            failures.ofChecks(async () => (configured === undefined ? [] : checkReferences(configured, planned))),
        },
        resourceOf(request.type),
        request,
      ),
    applyResource: async (request) => {
      try {
        const opened = context();
        return await opened.writes.run(() => applyResource(opened, resourceOf(request.type), request));
      } catch (problem) {
        const { prior, plannedPrivate } = request;
        return { state: prior, private: plannedPrivate, diagnostics: explainThrown(problem, "read") };
      }
    },
    readResource: async ({ type, state, private: bytes }) => {
      if (state === null) return { state: null, private: bytes, diagnostics: [] };
      try {
        return await readResource(context(), resourceOf(type), { state: attributesOf(state), bytes });
      } catch (problem) {
        return { state, private: bytes, diagnostics: failures.ofRefresh(problem) };
      }
    },
    importResource: async (type, id) => importResource(resourceOf(type), id),
    readDataSource: async (type, config) => {
      try {
        return await readDataSource(context(), type, attributesOf(config));
      } catch (problem) {
        return { state: null, diagnostics: explainThrown(problem, "read") };
      }
    },
    stop: () => stopping.abort(),
  };
}
