import { DecimalText } from "./values.ts";

/** A number as a value has it: see `Value`. */
export type NumberValue = number | bigint | DecimalText;

/** More digits than this are no number that a configuration means; 512 bits, which Terraform keeps, are 155. */
const mostDigits = 10_000;

/** The number that a decimal text says, exactly; it may have an exponent. */
export function numberOfText(text: string): NumberValue {
  const plain = plainDecimal(text);
  if (!plain.includes(".")) return narrowInteger(BigInt(plain));
  const near = Number(plain);
  return plainDecimal(String(near)) === plain ? near : new DecimalText(plain);
}

/** The number that a double is, exactly: 0.5 is a number, the double nearest to 0.1 has 55 decimals. */
export function numberOfDouble(double: number): NumberValue {
  if (!Number.isFinite(double)) throw new Error(`found ${double}; expected a finite number`);
  if (Number.isInteger(double)) return narrowInteger(BigInt(double));
  const exact = exactText(double);
  return plainDecimal(String(double)) === exact ? double : new DecimalText(exact);
}

/** An integer as a number where a number holds it. */
export function narrowInteger(integer: bigint): number | bigint {
  const near = Number(integer);
  return Number.isSafeInteger(near) ? near : integer;
}

/** A number as decimal text without exponent, leading or trailing zeros. */
export function textOfNumber(value: NumberValue): string {
  if (typeof value === "bigint") return String(value);
  return plainDecimal(typeof value === "number" ? String(value) : value.decimal);
}

function plainDecimal(text: string): string {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text);
  if (match === null) throw new Error(`found ${JSON.stringify(text)}; expected a decimal number`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > mostDigits) throw new Error(`found a number of more than ${mostDigits} digits`);
  const before = (point > 0 ? digits.slice(0, point).padEnd(point, "0") : "").replace(/^0+/, "");
  const behind = (point > 0 ? digits.slice(point) : `${"0".repeat(-point)}${digits}`).replace(/0+$/, "");
  const plain = `${before === "" ? "0" : before}${behind === "" ? "" : `.${behind}`}`;
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
}

/** All decimals of a double that is no integer: m / 2^n is m * 5^n / 10^n. */
function exactText(double: number): string {
  let mantissa = double;
  let halvings = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    halvings += 1;
  }
  return plainDecimal(`${BigInt(mantissa) * 5n ** BigInt(halvings)}e-${halvings}`);
}
