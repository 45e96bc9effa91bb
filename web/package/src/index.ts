import { hasSimd, isReady, start } from './engine.js';
import { BroadsideError } from './errors.js';

export * from './api.js';

/** The source of a module: its address, a response from there, its bytes, or the module itself. */
export type Source = URL | string | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/** The global objects of browsers and of Node that are used: this package is compiled without Node's own types. */
interface Host {
  readonly document?: { readonly baseURI: string };
  readonly process?: {
    getBuiltinModule?(name: string): { readFile(file: URL): Promise<Uint8Array<ArrayBuffer>> } | undefined;
  };
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (typeof source === 'string' || source instanceof URL) {
    const { document, process } = globalThis as Host;
    const url = new URL(source, document?.baseURI ?? globalThis.location?.href ?? import.meta.url);
    // Not an import, which a bundler for browsers could not resolve.
    const files = url.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs/promises') : undefined;
    return compile(files === undefined ? await fetch(url) : await files.readFile(url));
  }
  // Bytes first: in Node the name `Response` loads a library, which takes longer than all the rest.
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source) || !(source instanceof Response)) {
    return WebAssembly.compile(source as BufferSource);
  }
  if (!source.ok) {
    throw new BroadsideError('not_ready', `${source.url} answered ${source.status} ${source.statusText}`);
  }
  const isDeclared = source.headers.get('Content-Type')?.startsWith('application/wasm');
  return isDeclared === true ? WebAssembly.compileStreaming(source) : compile(await source.arrayBuffer());
}

let loading: Promise<void> | undefined;

/**
 * Loads the module: from `source`, or by default from the file next to this script, with SIMD if it is supported. If a
 * module is loaded or being loaded already, this one is not.
 *
 * @throws BroadsideError `not_ready` if the file cannot be loaded
 */
export function load(source?: Source): Promise<void> {
  if (isReady()) {
    return Promise.resolve();
  }
  loading ??= loadFrom(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadFrom(source?: Source): Promise<void> {
  const from =
    (await source) ??
    // Two addresses, because bundlers find a file only by its whole name.
    (hasSimd() ? new URL('./broadside.wasm', import.meta.url) : new URL('./broadside-plain.wasm', import.meta.url));
  return start(await compile(from));
}

/**
 * Loads the module when it is awaited first, unless `load` was called before.
 *
 * ```ts
 * import { findPairs, ready } from 'broadside';
 * await ready;
 * ```
 */
export const ready: PromiseLike<void> = {
  then: (fulfilled, rejected) => load().then(fulfilled, rejected),
};
