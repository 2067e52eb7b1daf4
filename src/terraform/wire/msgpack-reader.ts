/** The next value of a MessagePack text; a list and a map only announce how many values or pairs follow. */
export type Token =
  | { readonly is: "nil" }
  | { readonly is: "boolean"; readonly value: boolean }
  | { readonly is: "integer"; readonly value: bigint | number }
  | { readonly is: "double"; readonly value: number }
  | { readonly is: "text"; readonly value: string }
  | { readonly is: "list"; readonly size: number }
  | { readonly is: "map"; readonly size: number }
  | { readonly is: "extension" };

const nil: Token = { is: "nil" };
const extension: Token = { is: "extension" };

/** Reads MessagePack value by value. */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** True once everything was read. */
  isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(): Token {
    const code = this.#unsigned(1);
    if (code <= 0x7f) return { is: "integer", value: code };
    if (code >= 0xe0) return { is: "integer", value: code - 256 };
    if (code <= 0x8f) return { is: "map", size: code & 0x0f };
    if (code <= 0x9f) return { is: "list", size: code & 0x0f };
    if (code <= 0xbf) return this.#text(code & 0x1f);
    return this.#long(code);
  }

  #long(code: number): Token {
    switch (code) {
      case 0xc0:
        return nil;
      case 0xc2:
      case 0xc3:
        return { is: "boolean", value: code === 0xc3 };
      case 0xca:
        return { is: "double", value: this.#bytes.readFloatBE(this.#skip(4)) };
      case 0xcb:
        return { is: "double", value: this.#bytes.readDoubleBE(this.#skip(8)) };
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(2 ** (code - 0xd9)));
      case 0xdc:
      case 0xdd:
        return { is: "list", size: this.#unsigned(2 * (code - 0xdb)) };
      case 0xde:
      case 0xdf:
        return { is: "map", size: this.#unsigned(2 * (code - 0xdd)) };
      default:
        return code >= 0xcc && code <= 0xd3 ? this.#integer(code) : this.#extension(code);
    }
  }

  #integer(code: number): Token {
    const size = 2 ** ((code - 0xcc) % 4);
    const isSigned = code >= 0xd0;
    if (size < 8)
      return { is: "integer", value: isSigned ? this.#bytes.readIntBE(this.#skip(size), size) : this.#unsigned(size) };
    const at = this.#skip(8);
    return { is: "integer", value: isSigned ? this.#bytes.readBigInt64BE(at) : this.#bytes.readBigUInt64BE(at) };
  }

  /** Its type and content are of no interest: every extension is a value that is not known yet. */
  #extension(code: number): Token {
    if (code >= 0xd4 && code <= 0xd8) this.#skip(1 + 2 ** (code - 0xd4));
    else if (code >= 0xc7 && code <= 0xc9) this.#skip(1 + this.#unsigned(2 ** (code - 0xc7)));
    else throw new Error(`found the MessagePack code 0x${code.toString(16)}; expected a value of Terraform's types`);
    return extension;
  }

  #text(size: number): Token {
    const at = this.#skip(size);
    return { is: "text", value: this.#bytes.toString("utf8", at, at + size) };
  }

  #unsigned(size: number): number {
    return this.#bytes.readUIntBE(this.#skip(size), size);
  }

  #skip(size: number): number {
    const at = this.#at;
    if (at + size > this.#bytes.length)
      throw new Error(`found ${this.#bytes.length} bytes of MessagePack; expected at least ${at + size}`);
    this.#at = at + size;
    return at;
  }
}
