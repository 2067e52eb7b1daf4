/** Writes MessagePack, in the shortest form of each value. */
export class MsgpackWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  nil(): void {
    this.#byte(0xc0);
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    if (size < 32) this.#byte(0xa0 | size);
    else this.#head(size, [0xd9, 0xda, 0xdb]);
    const at = this.#reserve(size);
    this.#bytes.write(value, at);
  }

  /** Announces a list of so many values. */
  list(size: number): void {
    if (size < 16) this.#byte(0x90 | size);
    else this.#head(size, [undefined, 0xdc, 0xdd]);
  }

  /** Announces a map of so many pairs. */
  map(size: number): void {
    if (size < 16) this.#byte(0x80 | size);
    else this.#head(size, [undefined, 0xde, 0xdf]);
  }

  /** Terraform's plain unknown value: extension 0 with one byte. */
  unknown(): void {
    const at = this.#reserve(3);
    this.#bytes[at] = 0xd4;
    this.#bytes[at + 1] = 0;
    this.#bytes[at + 2] = 0;
  }

  /** The written bytes, in memory of their own. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  /** A size behind the code for one, two or four bytes of it. */
  #head(size: number, [one, two, four]: readonly [number | undefined, number, number]): void {
    if (one !== undefined && size <= 0xff) {
      this.#byte(one);
      this.#byte(size);
    } else if (size <= 0xffff) {
      this.#byte(two);
      const at = this.#reserve(2);
      this.#bytes.writeUInt16BE(size, at);
    } else {
      this.#byte(four);
      const at = this.#reserve(4);
      this.#bytes.writeUInt32BE(size, at);
    }
  }

  /** The offset of the next bytes; it may replace the memory, so it is called before that is used. */
  #reserve(size: number): number {
    const at = this.#length;
    const needed = at + size;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, at);
      this.#bytes = grown;
    }
    this.#length = needed;
    return at;
  }
}
