import type { Fault, Service, ServiceAnswer, ServiceRequest } from "../../../src/service/index.ts";

/**
 * A service as somebody else uses it: planned faults are what happens between the engine and the service, so theirs neither
 * meet one nor use one up.
 */
export function withoutFaults(inner: Service): Service {
  const own = (method: string, body?: readonly Fault[]) =>
    inner.handle({
      method,
      path: "/_loadform/faults",
      headers: { "x-api-key": inner.apiKey },
      ...(body && { body: body as never }),
    });
  const handle = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const { json } = await own("GET");
    const left = (json as unknown as readonly (Fault & { readonly hits: number })[]).flatMap(({ hits, ...fault }) => {
      if (fault.times === undefined) return [fault];
      return fault.times > hits ? [{ ...fault, times: fault.times - hits }] : [];
    });
    await own("PUT", []);
    const answer = await inner.handle(request);
    await own("PUT", left);
    return answer;
  };
  return Object.create(inner, { handle: { value: handle } }) as Service;
}
