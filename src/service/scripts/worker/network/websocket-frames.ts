/** A frame that a client sent, its payload unmasked. */
interface Frame {
  /** With the bit that says that it is the last of its message. */
  readonly first: number;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The first whole frame of what was received, and how many bytes it took (RFC 6455, 5.2). */
export function takeFrame(input: Buffer): { readonly frame: Frame; readonly length: number } | undefined {
  if (input.length < 2) return undefined;
  const first = input.readUInt8(0);
  const short = input.readUInt8(1) & 0x7f;
  const isMasked = (input.readUInt8(1) & 0x80) !== 0;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extra + (isMasked ? 4 : 0);
  if (input.length < start) return undefined;
  const size = extra === 0 ? short : extra === 2 ? input.readUInt16BE(2) : Number(input.readBigUInt64BE(2));
  if (input.length < start + size) return undefined;
  const payload = Buffer.from(input.subarray(start, start + size));
  if (isMasked) {
    const mask = input.subarray(start - 4, start);
    for (let at = 0; at < size; at++) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  }
  return { frame: { first, opcode: first & 0x0f, payload }, length: start + size };
}

/** The same back, unmasked; a ping is answered by a pong. */
export function answerFrame({ first, opcode, payload }: Frame): Buffer {
  const head = opcode === 9 ? (first & 0xf0) | 10 : first;
  return Buffer.concat([Buffer.from([head]), lengthOf(payload.length), payload]);
}

function lengthOf(size: number): Buffer {
  if (size < 126) return Buffer.from([size]);
  const long = Buffer.alloc(size < 65_536 ? 3 : 9);
  long.writeUInt8(size < 65_536 ? 126 : 127, 0);
  if (size < 65_536) long.writeUInt16BE(size, 1);
  else long.writeBigUInt64BE(BigInt(size), 1);
  return long;
}
