import type { Service, ServiceRequest } from "../../../src/service/index.ts";
import type { Body } from "./document.ts";
import type { Ledger } from "./ledger.ts";
import { rowsOf } from "./rows.ts";

/**
 * The races of one round trip, which docs/safety.md states. Somebody makes a namesake while our create is under way, and the
 * create, an upsert, then updates that one and says nothing of it; or somebody makes an object below another one while our
 * delete of that is under way, and it is deleted with it. No client of this API can tell, so that object counts as ours from
 * then on. It is this race only when our request was sent before theirs, has not arrived, names the same object at the same
 * path, or the one above, and then does change what they made.
 */
export class RoundTrips {
  readonly #service: Service;
  readonly #ledger: Ledger;
  /** Requests of ours that were sent and have not arrived, with what somebody made meanwhile in their place. */
  readonly #underWay = new Map<ServiceRequest, string[]>();
  #acting = Promise.resolve();

  constructor(service: Service, ledger: Ledger) {
    this.#service = service;
    this.#ledger = ledger;
  }

  /** A request of ours leaves. */
  leaves(request: ServiceRequest): void {
    if (request.method === "POST" || request.method === "DELETE") this.#underWay.set(request, []);
  }

  /** Somebody made an object. */
  made(handle: string, path: string, body: Body): void {
    for (const [request, handles] of this.#underWay) {
      const isNamesake = request.path === path && bodyOf(request)["name"] === body["name"];
      if (request.method === "DELETE" ? path.startsWith(`${request.path}/`) : isNamesake) handles.push(handle);
    }
  }

  /** Somebody acts, and it is noted what that was: what of ours was sent meanwhile arrives after it. */
  async acts(work: () => Promise<void>): Promise<void> {
    const acting = work();
    this.#acting = acting;
    await acting;
  }

  /** A request of ours arrives, if it does; answers what it is answered. */
  async arrives<T>(request: ServiceRequest, work: () => Promise<T>): Promise<T> {
    await this.#acting;
    const handles = this.#underWay.get(request) ?? [];
    this.#underWay.delete(request);
    try {
      return await work();
    } finally {
      if (handles.length > 0) this.#ledger.concede(rowsOf(this.#service), handles);
    }
  }

  /** It ended without arriving. */
  ends(request: ServiceRequest): void {
    this.#underWay.delete(request);
  }
}

const bodyOf = ({ body }: ServiceRequest) => (typeof body === "string" ? JSON.parse(body) : (body ?? {})) as Body;
