/** Which service and organization a state belongs to. */
export interface Target {
  readonly url: string;
  readonly organization: number;
}

/** True for the same organization of the same service. */
export function isSameTarget(left: Target, right: Target): boolean {
  return isSameService(left.url, right.url) && left.organization === right.organization;
}

/** True for two addresses of one service: a slash at the end or capitals in the host make no difference. */
export function isSameService(left: string, right: string): boolean {
  return left === right || spelled(left) === spelled(right);
}

/** True of a whole address without a user, a query and a fragment: requests are sent without them, and it is shown. */
export function isBareAddress(url: string): boolean {
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === "";
}

/** The one spelling of an address. */
export function spelled(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : url;
}
