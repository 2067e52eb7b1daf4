import { barePath } from "../core/router.ts";
import type { GatewayKeyRecord } from "../store/records/gateways.ts";
import type { Store } from "../store/store.ts";

/** The gateway and the key that a request to the proxy is for. */
export interface Located {
  readonly gatewayId: number;
  readonly key: GatewayKeyRecord;
  /** The rest of the URL after the key's address, with its query, as it was sent. */
  readonly path: string;
  /** Where this client finds a key: the beginning of a link. */
  readonly addressOf: (key: string) => string;
  /** Links that name no host begin at the key's address. */
  readonly isByHost: boolean;
}

/** True for a path of the proxy. */
export function isProxyPath(path: string): boolean {
  const bare = barePath(path.split("?", 1)[0] ?? "");
  return bare === "/_gw" || bare.startsWith("/_gw/");
}

interface Owner {
  readonly gatewayId: number;
  readonly key: GatewayKeyRecord;
}

/** Finds the gateway of a request by its key, in the path or as the first label of its host. */
export class GatewayKeys {
  readonly #store: Store;
  #version = -1;
  #owners: ReadonlyMap<string, Owner> = new Map();

  constructor(store: Store) {
    this.#store = store;
  }

  /** By path, `/_gw/<key>/…`, under `/api` too. */
  byPath(url: string): Located | undefined {
    const [, prefix = "", key = "", path = ""] = /^((?:\/api)?\/_gw)\/([^/?#]+)(.*)$/s.exec(url) ?? [];
    const owner = key === "" ? undefined : this.#known().get(key);
    return owner && { ...owner, path, addressOf: (other) => `${prefix}/${other}`, isByHost: false };
  }

  /**
   * By host, `<key>.<anything>`. DECISION (API 1, Gateway key: reachable at host `<key>.{gateway_domain}`): any domain will do;
   * a host whose first label is no key is the service itself.
   */
  byHost(host: string | undefined, url: string): Located | undefined {
    const at = host?.indexOf(".") ?? -1;
    if (host === undefined || at <= 0 || !url.startsWith("/")) return undefined;
    const owner = this.#known().get(host.slice(0, at).toLowerCase());
    const domain = host.slice(at);
    return owner && { ...owner, path: url, addressOf: (other) => `http://${other}${domain}`, isByHost: true };
  }

  #known(): ReadonlyMap<string, Owner> {
    const version = this.#store.version("gateway");
    if (version === this.#version) return this.#owners;
    const gateways = this.#store.all("gateway");
    this.#owners = new Map(
      gateways.flatMap(({ id, keys }) => keys.map((key) => [key.key.toLowerCase(), { gatewayId: id, key }] as const)),
    );
    this.#version = version;
    return this.#owners;
  }
}
