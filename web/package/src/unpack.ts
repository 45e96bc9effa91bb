import { imul, tell } from './model.js';

/** A module as packed by scripts/pack.mjs. */
export interface Packed {
  /** Size of the unpacked module (unit: byte). */
  readonly size: number;
  /** The Huffman code lengths of each kind of byte: src/model.ts. */
  readonly lengths: readonly string[];
  /** The packed bits, in base64. Range coding; source: G. N. N. Martin, Range encoding, 1979. */
  readonly text: string;
}

/** Unpacks and compiles a module. */
export async function unpack({ size, lengths, text }: Packed): Promise<WebAssembly.Module> {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; ++i) {
    packed[i] = letters.charCodeAt(i);
  }
  // In a typed array: numbers this large would otherwise be allocated in each assignment.
  const state = new Uint32Array([new DataView(packed.buffer).getUint32(0), 2 ** 32 - 1]);
  let at = 4;
  const module = tell(size, lengths, (probability) => {
    let code = state[0]!;
    let range = state[1]!;
    const bound = imul(range >>> 16, probability) >>> 0;
    const bit = code < bound ? 1 : 0;
    code = (bit ? code : code - bound) >>> 0;
    range = (bit ? bound : range - bound) >>> 0;
    while (range < 2 ** 24) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | packed[at++]!) >>> 0;
    }
    state[0] = code;
    state[1] = range;
    return bit;
  });
  return WebAssembly.compile(module);
}
