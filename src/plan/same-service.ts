import type { Target } from "../state/state.ts";

/** Whether two targets are the same organization of the same service. */
export function isSameTarget(left: Target, right: Target): boolean {
  return isSameService(left.url, right.url) && left.organization === right.organization;
}

/** Whether two addresses mean the same service: a slash at the end or the host's capitals make no other one. */
export function isSameService(left: string, right: string): boolean {
  return spelled(left) === spelled(right);
}

function spelled(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : url;
}
