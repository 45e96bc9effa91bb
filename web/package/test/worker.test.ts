// A world behind messages has the states and events of one that is called directly.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, serve } from '../../tools/browser.mjs';
import { box, circle, ready, World, type Body } from '../dist/index.js';
import { WorkerWorld, type WorkerBody, type WorkerOptions, type WorkerStep } from '../dist/worker.js';
import { WorldHost } from '../dist/world_host.js';
import { random } from './random.js';

beforeAll(() => ready);

const ends: MessagePort[] = [];
afterAll(() => ends.forEach((end) => end.close()));

/** Starts a world at the other end of a channel, where messages are cloned and buffers transferred as to a worker. */
async function start(options: WorkerOptions = {}): Promise<WorkerWorld> {
  const { port1, port2 } = new MessageChannel();
  ends.push(port1, port2);
  new WorldHost(port2 as never);
  return WorkerWorld.start({ ...options, worker: port1 as never });
}

const copyOf = (step: WorkerStep) => JSON.stringify([step.bodies, step.transforms, step.begun, step.ended].map((array) => [...array]));

describe.each([false, true])('shared memory: %s', (shared) => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('has the states of a world that is called directly, seed %i', async (seed) => {
    const draw = random(seed + 1);
    const options = { response: draw() < 0.5 ? ('bounce' as const) : ('none' as const), gravity: { x: 0, y: -5 * draw() } };
    const far = seed % 4 === 3 ? 1e5 : 0;
    const place = () => Math.fround(far + 40 * draw());
    const twin = new World(options);
    const world = await start({ ...options, shared });
    const bodies = new Map<number, Body>();
    const numberOf = new Map<Body, number>();
    const named = (pairs: [Body, Body][]) => pairs.flatMap(([a, b]) => [numberOf.get(a), numberOf.get(b)]);
    const asked: [Promise<WorkerStep>, string, number][] = [];
    let arrived: [WorkerStep, string] | undefined;
    const take = async () => {
      const [promise, expected, refused] = asked.shift()!;
      if (arrived !== undefined) {
        expect(copyOf(arrived[0])).toBe(arrived[1]); // the last one stays until the next arrives
      }
      const step = await promise;
      expect(copyOf(step)).toBe(expected);
      expect(step.refused.length).toBe(refused);
      expect(step.transforms.buffer instanceof SharedArrayBuffer).toBe(shared);
      arrived = [step, expected];
    };
    for (let round = 0; round < 40; ++round) {
      let refused = 0;
      for (let changes = Math.floor(4 * draw()); changes > 0; --changes) {
        const numbers = [...bodies.keys()].filter(() => draw() < 0.2);
        const some = numbers.map((number) => bodies.get(number)!);
        const vectors = Float32Array.from({ length: 2 * numbers.length }, place);
        const kind = Math.floor(6 * draw());
        if (kind === 0) {
          const made: WorkerBody[] = Array.from({ length: Math.floor(8 * draw()) }, () => ({
            shape: draw() < 0.5 ? circle(2 * draw()) : box(3 * draw(), 3 * draw()),
            position: { x: place(), y: place() },
            velocity: { x: 9 * draw() - 4, y: 9 * draw() - 4 },
          }));
          const added = twin.addAll(made);
          world.add(made).forEach((number, i) => bodies.set(number, added[i]!) && numberOf.set(added[i]!, number));
        } else if (kind === 1) {
          const circles = { positions: Float32Array.from({ length: 2 * Math.floor(9 * draw()) }, place), radii: 1 + draw() };
          const first = world.addCircles(circles);
          const list = twin.addCircles(circles);
          for (let i = 0; i < list.length; ++i) {
            bodies.set(first + i, list.at(i)!);
            numberOf.set(list.at(i)!, first + i);
          }
        } else if (kind === 2) {
          world.remove(numbers);
          twin.remove(some);
          numbers.forEach((number) => bodies.delete(number));
        } else if (kind === 3) {
          world.move(numbers, vectors);
          twin.list(some).move(vectors);
        } else if (kind === 4) {
          world.setVelocities(numbers, vectors);
          some.forEach((body, i) => (body.velocity = { x: vectors[2 * i]!, y: vectors[2 * i + 1]! }));
        } else {
          world.remove([4_000_000_000]);
          ++refused;
        }
      }
      const seconds = draw() / 30;
      const promise = world.step(seconds);
      twin.step(seconds);
      const all = [...bodies.values()];
      const list = twin.list(all);
      const expected = [[...bodies.keys()], [...list.readTransforms()],
        named(twin.contacts('begun').map(({ a, b }) => [a, b])), named(twin.ended().map(({ a, b }) => [a, b]))];
      asked.push([promise, JSON.stringify(expected), refused]);
      while (asked.length > (round === 39 ? 0 : Math.floor(4 * draw()))) {
        await take();
      }
    }
    const rays = Float32Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? place() : 80 * draw() - 40));
    const areas = Float32Array.from({ length: 40 }, (_, i) => far + (i % 4 < 2 ? 0 : 40 * draw()));
    const hits = await world.castRays(rays);
    const twinHits = twin.castRays(rays);
    expect([...hits.fractions, ...hits.normals, ...hits.points]).toEqual([...twinHits.fractions, ...twinHits.normals, ...twinHits.points]);
    const found = await world.queryAreas(areas);
    Array.from({ length: 10 }, (_, i) => i).forEach((i) => {
      const [minX, minY, maxX, maxY] = areas.slice(4 * i) as never as [number, number, number, number];
      const expected = twin.queryArea({ min: { x: minX, y: minY }, max: { x: maxX, y: maxY } }).map((body) => numberOf.get(body));
      expect([...found.bodies.slice(found.begins[i], found.begins[i + 1])]).toEqual(expected);
      const hit = twin.castRay({ x: rays[4 * i]!, y: rays[4 * i + 1]! }, { x: rays[4 * i + 2]!, y: rays[4 * i + 3]! });
      expect(hits.bodies[i]).toBe(hit === undefined ? 0xffffffff : numberOf.get(hit.body));
    });
    world.close();
  });
});

describe('a world in a worker', () => {
  const errorOf = (promise: Promise<unknown>) => promise.then(() => 'nothing was thrown', ({ name, code }) => `${name} ${code}`);

  it('refuses what a world refuses, and goes on', async () => {
    expect(await errorOf(start({ restitution: 2 }))).toBe('BroadsideError invalid_argument');
    const world = await start();
    expect(await errorOf(world.step(-1))).toBe('BroadsideError invalid_argument');
    expect(await errorOf(world.castRays([1, 2, 3]))).toBe('BroadsideError invalid_argument');
    expect(() => world.move([0], [1])).toThrow('positions must be 2 numbers, not 1');
    expect(() => world.addCircles({ positions: [1], radii: 1 })).toThrow('two numbers each');
    world.add([{ shape: circle(-1) }]);
    const [number] = world.add([{ shape: circle(1), position: { x: 3, y: 4 } }]);
    const step = await world.step(0);
    expect(step.refused.map(({ code }) => code)).toEqual(['invalid_argument']);
    expect([...step.bodies, ...step.transforms]).toEqual([number, 3, 4, 1, 0]);
    world.add([{ shape: circle(1), userData: () => 1 } as WorkerBody]);
    expect(await errorOf(world.step(0))).toBe('BroadsideError invalid_argument');
    expect((await world.step(0)).bodies.length).toBe(1);
  });

  it('throws from calls that wait when it is closed, and from later ones', async () => {
    const world = await start();
    const waiting = errorOf(world.step(0));
    world.close();
    expect(await waiting).toBe('BroadsideError stale_id');
    expect(await errorOf(world.step(0))).toBe('BroadsideError stale_id');
  });

  it('says so where there are no workers', async () => {
    expect(await errorOf(WorkerWorld.start())).toBe('BroadsideError not_ready');
  });
});

describe('in a browser', () => {
  const home = fileURLToPath(new URL('..', import.meta.url));
  const script = (from: string) => `
    import { WorkerWorld } from '${from}';
    try {
      const world = await WorkerWorld.start({ response: 'bounce' });
      const positions = Float32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 500);
      world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
      let step;
      for (let i = 0; i < 120; ++i) step = await world.step(1 / 60);
      document.title = '1 ' + crossOriginIsolated + ' ' + (step.transforms.buffer instanceof ArrayBuffer) + ' ' + step.transforms.reduce((a, b) => a + b, 0);
    } catch (error) {
      document.title = '0 ' + error.code;
    }`;
  const page = (src: string) => `<!doctype html><meta charset="utf-8"><title>…</title><link rel="icon" href="data:,"><script type="module">${src}</script>`;

  async function titleOf(folder: string, pages: Record<string, string>, isolated: boolean): Promise<string> {
    const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    const server = await serve(folder, { pages, headers: isolated ? headers : {} });
    const browser = await launch();
    const tab = await browser.newPage();
    await tab.goto(`${server.address}/index.html`);
    await tab.waitForFunction(() => /^\d/.test(document.title), undefined, { timeout: 20_000 }).catch(() => {});
    const title = await tab.title();
    await browser.close();
    server.close();
    return title;
  }

  function expectedSum(): number {
    const world = new World({ response: 'bounce' });
    const positions = Float32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 500);
    const list = world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
    for (let i = 0; i < 120; ++i) {
      world.step(1 / 60);
    }
    return list.readTransforms().reduce((a, b) => a + b, 0);
  }

  it.each([false, true])('has the state of Node, isolated: %s', async (isolated) => {
    const title = await titleOf(home, { '/index.html': page(script('/dist/worker.js')) }, isolated);
    expect(title).toBe(`1 ${isolated} ${!isolated} ${expectedSum()}`);
  }, 60_000);

  it('runs from what Vite builds without a setting', async () => {
    const root = await mkdtemp(join(home, 'test', 'built-'));
    const outDir = await mkdtemp(join(tmpdir(), 'broadside-'));
    await writeFile(join(root, 'index.html'), '<!doctype html><title>…</title><script type="module" src="./main.js"></script>');
    await writeFile(join(root, 'main.js'), script('broadside/worker'));
    await build({ root, logLevel: 'error', configFile: false, build: { outDir, emptyOutDir: true, target: 'es2022' } });
    expect(await titleOf(outDir, {}, false)).toBe(`1 false true ${expectedSum()}`);
    await Promise.all([root, outDir].map((folder) => rm(folder, { recursive: true, force: true })));
  }, 60_000);

  it('says so if the module is not there', async () => {
    const server = { '/index.html': page(script('/dist/worker.js')), '/dist/broadside.wasm': '' };
    expect(await titleOf(home, server, false)).toBe('0 broken');
  }, 60_000);
});
