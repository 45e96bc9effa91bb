import { isReady, start } from './engine.js';
import { BroadsideError } from './errors.js';
import { hasSimd } from './variants.js';

export * from './api.js';

/** The source of a module: its address, a response from there, its bytes, or the module itself. */
export type Source = URL | string | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

async function read(url: URL): Promise<BufferSource> {
  if (url.protocol === 'file:') {
    // The name is hidden from bundlers, which could not resolve it for a browser.
    const files = 'node:fs/promises';
    const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
      readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
    };
    return readFile(url);
  }
  return bytesOf(await fetch(url));
}

async function bytesOf(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) {
    throw new BroadsideError('not_ready', `${answer.url} answered ${answer.status} ${answer.statusText}`);
  }
  return answer.arrayBuffer();
}

/**
 * Loads the module from a file: from `source`, or by default from the file next to this script, with SIMD if it is
 * supported. Call it before anything else; if a module is loaded already, it does nothing.
 *
 * @throws BroadsideError `not_ready` if the file cannot be loaded
 */
export async function load(source?: Source): Promise<void> {
  if (isReady()) {
    return;
  }
  const from =
    (await source) ??
    (hasSimd()
      ? new URL('./broadside.wasm', import.meta.url)
      : new URL('./broadside-plain.wasm', import.meta.url));
  if (typeof from === 'string' || from instanceof URL) {
    return start(await WebAssembly.compile(await read(new URL(from, import.meta.url))));
  }
  if (from instanceof Response) {
    return start(await WebAssembly.compile(await bytesOf(from)));
  }
  return start(from instanceof WebAssembly.Module ? from : await WebAssembly.compile(from));
}
