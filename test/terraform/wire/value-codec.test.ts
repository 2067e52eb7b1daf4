import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJsonValue } from "../../../src/terraform/wire/json-value.ts";
import { decodeValue, encodeValue } from "../../../src/terraform/wire/value-codec.ts";
import { type CtyType, DecimalText, UNKNOWN, type Value, valueMap } from "../../../src/terraform/wire/values.ts";
import { stateJson } from "../../support/terraform/state-json.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const text = (value: string) => hex(encodeValue("string", value));

describe("numbers", () => {
  it.each<[string, Value, string]>([
    ["0", 0, text("0")],
    ["-32", -32, text("-32")],
    ["2^53 - 1", Number.MAX_SAFE_INTEGER, text("9007199254740991")],
    ["2^63 - 1", 2n ** 63n - 1n, text("9223372036854775807")],
    ["-2^63", -(2n ** 63n), text("-9223372036854775808")],
    ["10^30", 10n ** 30n, text("1000000000000000000000000000000")],
    ["0.1, of which a double is another number", 0.1, text("0.1")],
    ["1e-7 without exponent", 1e-7, text("0.0000001")],
    ["decimals beyond a double", new DecimalText("0.1000000000000000000001"), text("0.1000000000000000000001")],
  ])("%s is written as text, as a state has it", (_, value, written) => {
    expect(hex(encodeValue("number", value))).toBe(written);
    expect(decodeValue("number", bytes(written))).toEqual(value);
  });

  it.each<[string, string, Value]>([
    ["fixint", "7f", 127],
    ["uint8", "cc ff", 255],
    ["int64", "d3 8000000000000000", -(2n ** 63n)],
    ["uint64 beyond int64", "cf ffffffffffffffff", 2n ** 64n - 1n],
    ["int16", "d1 ff00", -256],
    ["a double that is exact", "cb 3fe0000000000000", 0.5],
    ["a double of an integer beyond 2^53", "cb 4630000000000000", BigInt(2 ** 100)],
    [
      "the double next to 0.1, which is not 0.1",
      "cb 3fb999999999999a",
      new DecimalText("0.1000000000000000055511151231257827021181583404541015625"),
    ],
    ["a float", "ca 3fc00000", 1.5],
    ["text with an exponent", text("1.5e3"), 1500],
    ["text with zeros", text("-0010.500"), -10.5],
    ["zero with a sign", text("-0.0"), 0],
  ])("reads %s", (_, written, value) => {
    expect(decodeValue("number", bytes(written))).toEqual(value);
  });

  it("refuses what is no number", () => {
    expect(() => encodeValue("number", Number.NaN)).toThrow("expected a decimal number");
    expect(() => decodeValue("number", bytes(text("many")))).toThrow('found "many"');
    expect(() => decodeValue("number", bytes(text("1e999999999")))).toThrow("digits");
  });

  it("keeps a double's exact value", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 }), (double) => {
        const wire = Buffer.alloc(9);
        wire[0] = 0xcb;
        wire.writeDoubleBE(double, 1);
        const value = decodeValue("number", wire);
        const again = decodeValue("number", encodeValue("number", value));
        expect(again).toEqual(value);
        expect(Number(value instanceof DecimalText ? value.decimal : value)).toBe(double === 0 ? 0 : double);
      }),
    );
  });
});

describe("unknown values", () => {
  it.each([
    ["plain", "d4 00 00"],
    ["refined: not null", "c7 03 0c 81 01 c2"],
    ["refined with a prefix", "c7 0d 0c 82 01 c2 02 a8 74 6573742d6e2d2d".replaceAll(" ", "")],
    ["another extension", "d8 05 00112233445566778899aabbccddeeff"],
    ["a long one", "c8 0002 0c ffff"],
  ])("reads %s", (_, written) => {
    const isPrefix = written.startsWith("c70d");
    const wire = isPrefix ? Buffer.concat([bytes("c70d0c"), Buffer.alloc(13)]) : bytes(written);
    for (const type of ["string", "number", "bool", ["list", "string"], ["object", { a: "bool" }]] as CtyType[])
      expect(decodeValue(type, wire)).toBe(UNKNOWN);
  });

  it("writes plain ones, whatever their type", () => {
    expect(hex(encodeValue(["map", "string"], UNKNOWN))).toBe("d40000");
    expect(hex(encodeValue(["list", "number"], [UNKNOWN, 1]))).toBe("92d40000a131");
  });
});

describe("objects", () => {
  const type: CtyType = ["object", { name: "string", size: "number" }];

  it("carry exactly the attributes of the schema", () => {
    expect(() => encodeValue(type, valueMap([["name", "a"]]))).toThrow("without [size]");
    const tooMany = valueMap([
      ["name", "a"],
      ["size", 1],
      ["colour", "red"],
    ]);
    expect(() => encodeValue(["list", type], [tooMany])).toThrow("[0]: found an object without [] and with [colour]");
    expect(() => decodeValue(type, bytes(`81 ${text("name")} a0`))).toThrow("found no attribute size");
    expect(() => decodeValue(type, bytes(`81 ${text("colour")} a0`))).toThrow("the attribute colour");
  });

  it("are null as nil", () => {
    expect(hex(encodeValue(type, null))).toBe("c0");
    expect(decodeValue(type, bytes("c0"))).toBeNull();
  });

  it("name the place of a wrong value", () => {
    const wrong = valueMap([
      ["name", "a"],
      ["size", true],
    ]);
    expect(() => encodeValue(["list", type], [wrong])).toThrow("[0].size: found a boolean; expected the type number");
  });
});

it("refuses bytes behind a value and bytes that are missing", () => {
  expect(() => decodeValue("bool", bytes("c3 c3"))).toThrow("bytes behind the value");
  expect(() => decodeValue("string", bytes("a5 61"))).toThrow("expected at least 6");
  expect(() => decodeValue("string", bytes("c1"))).toThrow("0xc1");
  expect(() => decodeValue("string", bytes("c3"))).toThrow("found boolean in MessagePack; expected string");
});

it("a map's key may be __proto__", () => {
  const map = decodeValue(["map", "string"], bytes(`81 ${text("__proto__")} ${text("x")}`));
  expect(Object.entries(map as object)).toEqual([["__proto__", "x"]]);
  expect(hex(encodeValue(["map", "string"], map))).toBe(`81${text("__proto__")}${text("x")}`);
});

it("long texts, lists and maps keep their length", () => {
  for (const size of [15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
    expect(decodeValue("string", encodeValue("string", "é".repeat(size)))).toBe("é".repeat(size));
    const list = Array.from({ length: size }, (_, index) => index);
    expect(decodeValue(["list", "number"], encodeValue(["list", "number"], list))).toEqual(list);
    const map = valueMap(list.map((index) => [`k${index}`, true]));
    expect(decodeValue(["map", "bool"], encodeValue(["map", "bool"], map))).toEqual(map);
  }
});

describe("every value of every type", () => {
  const primitive = fc.constantFrom<CtyType>("string", "number", "bool");
  const key = fc.oneof(fc.string({ unit: "grapheme", maxLength: 5 }), fc.constantFrom("__proto__", "constructor"));
  const types = fc.letrec<{ type: CtyType }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      primitive,
      fc.tuple(fc.constantFrom("list" as const, "set" as const, "map" as const), tie("type")),
      fc
        .dictionary(key, tie("type"), { maxKeys: 4, noNullPrototype: false })
        .map((members): CtyType => ["object", members]),
    ) as fc.Arbitrary<CtyType>,
  })).type;
  const numbers: fc.Arbitrary<Value> = fc.oneof(
    fc.maxSafeInteger().map((value) => value + 0),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 120n }),
    fc.bigInt({ min: -(2n ** 120n), max: -(2n ** 53n) }),
    fc.constantFrom<Value>(0.1, 0.5, 1e-7, 2n ** 63n - 1n, 10n ** 30n, new DecimalText("0.10000000000000000000000001")),
  );

  /** A value of a type; with `partly` some of it is unknown. */
  function typedValue(type: CtyType, partly: boolean): fc.Arbitrary<Value> {
    const known = knownOf(type, partly);
    return partly
      ? fc.oneof({ weight: 8, arbitrary: known }, fc.constantFrom<Value>(null, UNKNOWN))
      : fc.option(known, { nil: null });
  }

  function knownOf(type: CtyType, partly: boolean): fc.Arbitrary<Value> {
    if (type === "string") return fc.string({ unit: "grapheme" });
    if (type === "bool") return fc.boolean();
    if (type === "number") return numbers;
    if (type[0] === "list" || type[0] === "set") return fc.array(typedValue(type[1], partly), { maxLength: 4 });
    if (type[0] === "map") return fc.array(fc.tuple(key, typedValue(type[1], partly)), { maxLength: 4 }).map(valueMap);
    const members = Object.entries(type[1]).map(([name, its]) =>
      typedValue(its, partly).map((value): [string, Value] => [name, value]),
    );
    return fc.tuple(...members).map((entries) => valueMap(entries));
  }

  const typed = (partly: boolean) =>
    types.chain((type) => typedValue(type, partly).map((value): [CtyType, Value] => [type, value]));

  it("survives MessagePack", () => {
    fc.assert(
      fc.property(typed(true), ([type, value]) => {
        expect(decodeValue(type, encodeValue(type, value))).toEqual(value);
      }),
    );
  });

  it("survives the JSON of a state", () => {
    fc.assert(
      fc.property(typed(false), ([type, value]) => {
        expect(decodeJsonValue(type, Buffer.from(stateJson(value)))).toEqual(value);
      }),
    );
  });
});

it("JSON: an attribute that is left out is null, one of another schema is refused", () => {
  const type: CtyType = ["object", { name: "string", size: "number" }];
  expect(decodeJsonValue(type, Buffer.from('{"name":"1.50 \\"x"}'))).toEqual(
    valueMap([
      ["name", '1.50 "x'],
      ["size", null],
    ]),
  );
  expect(() => decodeJsonValue(type, Buffer.from('{"colour":1}'))).toThrow("the attribute colour");
  expect(() => decodeJsonValue(type, Buffer.from("[]"))).toThrow("expected object");
});
