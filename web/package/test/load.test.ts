import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type * as Package from '../dist/index.js';

/** Imports a new copy of the package that is not loaded yet. */
async function fresh(): Promise<typeof Package> {
  vi.resetModules();
  return import('../dist/index.js');
}

/** Loads a new copy, which must then find pairs; returns it. */
async function loadedFrom(source?: Package.Source): Promise<typeof Package> {
  const loaded = await fresh();
  await loaded.load(source);
  expect(loaded.findPairs(new Float32Array([0, 0, 1, 1, 1, 1, 2, 2])).length).toBe(2);
  return loaded;
}

const plain = new URL('../dist/broadside-plain.wasm', import.meta.url);

describe('load', () => {
  it('says so where it was not called, and is called by who awaits ready', async () => {
    const loaded = await fresh();
    expect(() => new loaded.World()).toThrow(/await/);
    await loaded.ready;
    new loaded.World().release();
  });

  it('takes bytes, modules and addresses', async () => {
    await loadedFrom(await readFile(plain));
    await loadedFrom(await WebAssembly.compile(await readFile(plain)));
    await loadedFrom(plain);
    await loadedFrom('./broadside.wasm');
  });

  it('of a file or of bytes reads no global name whose first use takes Node as long as all the rest', async () => {
    for (const name of ['Response', 'fetch']) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name)!;
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          throw new Error(`${name} was read`);
        },
      });
      try {
        await loadedFrom();
        await loadedFrom(plain);
        const bytes = await readFile(plain);
        await loadedFrom(bytes);
        await loadedFrom(new Uint8Array(bytes).buffer);
        await loadedFrom(await WebAssembly.compile(bytes));
      } finally {
        Object.defineProperty(globalThis, name, before);
      }
    }
  });

  it('takes what is fetched, and says when there is nothing', async () => {
    const bytes = await readFile(plain);
    const server = createServer((request, answer) => {
      answer.writeHead(request.url === '/module' ? 200 : 404).end(bytes);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await loadedFrom(`${home}/module`);
    await loadedFrom(fetch(`${home}/module`));
    const loaded = await fresh();
    await expect(loaded.load(`${home}/nothing`)).rejects.toMatchObject({ code: 'not_ready' });
    await expect(loaded.load(new Uint8Array(3))).rejects.toThrow(WebAssembly.CompileError);
    await loaded.load(`${home}/module`); // after errors, it may be called again
    server.close();
  });

  it('compiles what is declared as WebAssembly while it arrives, once', async () => {
    const bytes = await readFile(plain);
    let asked = 0;
    const server = createServer((_, answer) => {
      ++asked;
      answer.writeHead(200, { 'content-type': 'application/wasm' }).end(bytes);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const streaming = vi.spyOn(WebAssembly, 'compileStreaming');
    const loaded = await fresh();
    await Promise.all([loaded.load(address), loaded.load(address), loaded.ready]);
    expect([asked, streaming.mock.calls.length]).toEqual([1, 1]);
    new loaded.World().release();
    streaming.mockRestore();
    server.close();
  });

  it('leaves the module under live worlds, however often it is called', async () => {
    const loaded = await fresh();
    await Promise.all([loaded.load(), loaded.load(plain)]);
    const world = new loaded.World();
    const body = world.add({ shape: loaded.circle(1), velocity: { x: 1, y: 0 } });
    await loaded.load();
    await loaded.load(plain);
    world.step(1);
    expect(body.position).toEqual({ x: 1, y: 0 });
  });

  it('has the same hashes without SIMD', async () => {
    const hashes: bigint[] = [];
    for (const module of ['./broadside.wasm', './broadside-plain.wasm']) {
      const loaded = await loadedFrom(module);
      const world = new loaded.World({ response: 'bounce' });
      const positions = Float32Array.from({ length: 2000 }, (_, i) => (i * 7919) % 500);
      world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
      let contacts = 0;
      for (let step = 0; step < 60; ++step) {
        world.step(1 / 60);
        contacts += world.contactCount;
      }
      expect(contacts).toBeGreaterThan(100);
      hashes.push(world.hash());
    }
    expect(hashes[0]).toBe(hashes[1]);
  });
});
