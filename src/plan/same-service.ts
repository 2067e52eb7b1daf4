/** Whether two addresses mean the same service: a slash at the end or the host's capitals make no other one. */
export function isSameService(left: string, right: string): boolean {
  return spelled(left) === spelled(right);
}

function spelled(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : url;
}
