import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Package from '../dist/file.js';

// Each test imports a new copy of the package that is not loaded yet.
let loaded: typeof Package;
beforeEach(async () => {
  vi.resetModules();
  loaded = await import('../dist/file.js');
});
afterEach(() => expect(loaded.findPairs(new Float32Array([0, 0, 1, 1, 1, 1, 2, 2])).length).toBe(2));

const plain = new URL('../dist/broadside-plain.wasm', import.meta.url);

describe('load', () => {
  it('says so where it was not called', async () => {
    expect(() => new loaded.World()).toThrow(/await/);
    await loaded.load();
  });

  it('takes bytes, modules and addresses', async () => {
    await loaded.load(await readFile(plain));
    await loaded.load(await WebAssembly.compile(await readFile(plain)));
    await loaded.load(plain);
    await loaded.load('./broadside.wasm');
  });

  it('takes what is fetched, and says when there is nothing', async () => {
    const bytes = await readFile(plain);
    const server = createServer((request, answer) => {
      answer.writeHead(request.url === '/module' ? 200 : 404).end(bytes);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await loaded.load(`${home}/module`);
    await loaded.load(fetch(`${home}/module`));
    await expect(loaded.load(`${home}/nothing`)).rejects.toMatchObject({ code: 'not_ready' });
    server.close();
  });

  it('has the same hashes without SIMD', async () => {
    const hashes: bigint[] = [];
    for (const module of ['./broadside.wasm', './broadside-plain.wasm']) {
      await loaded.load(module);
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
