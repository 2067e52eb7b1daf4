import { createHmac, randomBytes } from "node:crypto";
import type { StoreData } from "./store.ts";

const publicRegions = [
  ["cloud-us-east-1", 38.9, -77.4],
  ["cloud-us-west-2", 45.8, -119.7],
  ["cloud-ap-south-1", 19.1, 72.9],
  ["cloud-ap-southeast-1", 1.3, 103.8],
  ["cloud-ap-southeast-2", -33.9, 151.2],
  ["cloud-eu-central-1", 50.1, 8.7],
  ["cloud-eu-west-1", 53.3, -6.3],
] as const;

/** A fresh service: one user, organization 1, provider 0 and its seven public regions (API 2 names them). */
export function freshState(now: string): StoreData {
  const stamps = { createdAt: now, updatedAt: now };
  return {
    next: { organization: 2, user: 2, grant: 2, provider: 1, region: publicRegions.length + 1 },
    rows: {
      organization: [
        { id: 1, ...stamps, name: "Default", email: null, settings: {}, public: false, shared: false, active: true },
      ],
      user: [
        {
          id: 1,
          ...stamps,
          name: "local",
          email: "local@example.com",
          lastLoggedIn: null,
          accessType: "Admin",
          confirmed: true,
          active: true,
          authSource: "Password",
          secrets: {},
        },
      ],
      grant: [{ id: 1, ...stamps, userId: 1, organizationId: 1, userRole: "Admin" }],
      provider: [
        {
          id: 0,
          ...stamps,
          organizationId: null,
          name: "Public Shared Grid",
          public: true,
          providerType: "Shared",
          metadata: {},
          active: true,
          secrets: {},
        },
      ],
      region: publicRegions.map(([name, latitude, longitude], index) => ({
        id: index + 1,
        ...stamps,
        providerId: 0,
        name,
        description: null,
        active: true,
        location: { id: index + 1, name, latitude, longitude },
      })),
    },
  };
}

/** A salt: of the instance's seed, so that the same calls make the same bytes; random where state is kept in a file. */
export function makeSalt(seed: string | number | undefined, isKept: boolean): string {
  if (seed === undefined && isKept) return randomBytes(16).toString("hex");
  return createHmac("sha256", "loadform salt")
    .update(String(seed ?? ""))
    .digest("hex")
    .slice(0, 32);
}

/** Salted digest of a value of which nothing else is kept. */
export function saltedDigest(salt: string, value: string): string {
  return createHmac("sha256", salt).update(value).digest("hex");
}
