import fc from "fast-check";

/** So many codes are of halves of characters. */
const halves = 0x800;

/** Any character of Unicode. fast-check's own (`unit: "binary"`) first makes a table of all of them, which takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff - halves })
  .map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + halves));
