import { createHash } from "node:crypto";
import type { Hash } from "../../model/fingerprint.ts";

/** SHA-256 in hex. */
export const sha256: Hash = (data) => createHash("sha256").update(data).digest("hex");
