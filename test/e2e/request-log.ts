import type { RunningService } from "../support/served-project.ts";

/** One line of the service's request log. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
}

/** What reached the service since its log was last taken, its own routes left out. */
export async function takeRequests(service: RunningService): Promise<readonly LoggedRequest[]> {
  const { body } = await service.call("GET", "/_loadform/requests");
  await service.call("DELETE", "/_loadform/requests");
  return (body as readonly LoggedRequest[]).filter(({ path }) => !path.startsWith("/_loadform"));
}

/** Those of the requests that change something. */
export function writesOf(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ method }) => method !== "GET" && method !== "HEAD");
}
