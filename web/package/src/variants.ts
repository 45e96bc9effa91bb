// The smallest module with an instruction of SIMD: the type () -> v128, one function, `i32.const 0; i8x16.splat;
// drop`. WebAssembly core specification 2.0, section 5 (binary format).
const probe = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 0x41, 0, 0xfd, 15, 0x1a, 0x0b,
]);

/** Tells whether modules with 128-bit SIMD run here. */
export function hasSimd(): boolean {
  return WebAssembly.validate(probe);
}

/** Compiles a module that was compressed (deflate, raw) and written in base64. */
export async function unpack(text: string): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
