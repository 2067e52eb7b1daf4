import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { certificatePem, writeCertificate } from "../../../src/terraform/plugin/certificate.ts";

const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const now = Date.UTC(2026, 0, 31, 23, 59, 59, 500);
const der = writeCertificate({ ...keys, serial: Buffer.alloc(19, 0xff), now });
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

function openssl(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync("openssl", args, { input: certificatePem(der), encoding: "utf8" });
  return stdout + stderr;
}

describe("the certificate", () => {
  it("is for localhost, from 30 seconds ago, for a year", () => {
    const certificate = new X509Certificate(der);
    expect(certificate.subjectAltName).toBe("DNS:localhost");
    expect(certificate.subject).toBe("CN=localhost");
    expect(Date.parse(certificate.validFrom)).toBe(Date.UTC(2026, 0, 31, 23, 59, 29));
    expect(Date.parse(certificate.validTo)).toBe(Date.UTC(2027, 0, 31, 23, 59, 59));
  });

  it("is signed by its own key", () => {
    const certificate = new X509Certificate(der);
    expect(certificate.verify(keys.publicKey)).toBe(true);
    expect(certificate.publicKey.equals(createPublicKey(keys.privateKey))).toBe(true);
  });

  it("has four digits for years from 2050 on", () => {
    const late = writeCertificate({ ...keys, serial: Buffer.of(1), now: Date.UTC(2049, 11, 31) });
    const certificate = new X509Certificate(late);
    expect(certificate.validFrom).toContain("2049");
    expect(certificate.validTo).toContain("2050");
  });

  it.skipIf(!hasOpenssl)("is what openssl takes for a certificate", () => {
    const words = openssl("x509", "-noout", "-text");
    expect(words).toContain("Version: 3 (0x2)");
    expect(words).toContain("ecdsa-with-SHA256");
    expect(words).toContain("prime256v1");
    expect(words).toContain("DNS:localhost");
    expect(words).toContain("Not Before: Jan 31 23:59:29 2026 GMT");
    expect(words).toContain("01:ff:ff:ff:ff");
  });

  it.skipIf(!hasOpenssl)("is verified by openssl with itself as its only root", () => {
    const { status, stdout } = spawnSync(
      "sh",
      [
        "-c",
        'f=$(mktemp); cat > "$f"; openssl verify -no_check_time -CAfile "$f" -verify_hostname localhost "$f"; s=$?; rm "$f"; exit $s',
      ],
      { input: certificatePem(der), encoding: "utf8" },
    );
    expect(stdout).toContain("OK");
    expect(status).toBe(0);
  });
});
