import { walk } from './streams.js';

// The smallest module with an instruction of SIMD: the type () -> v128, one function, `i32.const 0; i8x16.splat;
// drop`. WebAssembly core specification 2.0, section 5 (binary format).
const probe = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 0x41, 0, 0xfd, 15, 0x1a, 0x0b,
]);

/** Tells whether modules with 128-bit SIMD run here. */
export function hasSimd(): boolean {
  return WebAssembly.validate(probe);
}

/** A module as scripts/build.mjs packs it. */
export interface Packed {
  /** Of the module (unit: byte). */
  readonly size: number;
  /** Of its streams, in their order (unit: byte). */
  readonly lengths: readonly number[];
  /** The streams, compressed (deflate, raw), in base64. */
  readonly text: string;
}

/** Compiles a module that was packed. */
export async function unpack({ size, lengths, text }: Packed): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const streams = new Uint8Array(await new Response(inflated).arrayBuffer());
  let end = 0;
  const places = lengths.map((length) => (end += length) - length);
  const module = new Uint8Array(size);
  let at = 0;
  walk(size, (stream) => (module[at++] = streams[places[stream]!++]!));
  return WebAssembly.compile(module);
}
