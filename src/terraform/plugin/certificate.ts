import { type KeyObject, sign } from "node:crypto";

/** The content of a certificate; the keys are of the curve P-256. */
export interface CertificateInput {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** Up to 20 random bytes. */
  readonly serial: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

const year = 365 * 86_400_000;
/** Clocks that differ a little, and the whole seconds of the format. */
const leeway = 30_000;

/** Object identifiers in DER, without tag and length. */
const oid = { ecdsaWithSha256: "2a8648ce3d040302", commonName: "550403", subjectAltName: "551d11" };

/** A self-signed certificate for the server name localhost, as DER: valid from 30 seconds ago for a year. */
export function writeCertificate({ publicKey, privateKey, serial, now }: CertificateInput): Buffer {
  const algorithm = sequence(objectId(oid.ecdsaWithSha256));
  const name = sequence(tag(0x31, sequence(objectId(oid.commonName), tag(0x0c, Buffer.from("localhost")))));
  const altName = sequence(tag(0x82, Buffer.from("localhost")));
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.of(2))),
    // A positive number, without leading zeros.
    tag(0x02, Buffer.of(0x01, ...serial.slice(0, 19))),
    algorithm,
    name,
    sequence(moment(now - leeway), moment(now + year)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tag(0xa3, sequence(sequence(objectId(oid.subjectAltName), tag(0x04, altName)))),
  );
  const signature = sign("sha256", body, privateKey);
  return sequence(body, algorithm, tag(0x03, Buffer.of(0), signature));
}

/** A certificate as PEM. */
export function certificatePem(der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function tag(code: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const head = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(code, ...head), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tag(0x30, ...parts);
}

function objectId(hex: string): Buffer {
  return tag(0x06, Buffer.from(hex, "hex"));
}

/** Years from 2050 on have four digits and another tag. */
function moment(at: number): Buffer {
  const text = `${new Date(at).toISOString().replace(/[-:T]|\..*/g, "")}Z`;
  const isLate = text >= "2050";
  return tag(isLate ? 0x18 : 0x17, Buffer.from(isLate ? text : text.slice(2)));
}
