// Races all contenders on all workloads, in Node and in Chromium, and prints the tables of README.md.
//   npm run bench -w bench -- [--only=name,name] [--on=U10k,pinball] [--in=node,chromium] [--frames=60] [--json=file]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openPage } from './chromium.mjs';
import { contenders } from './contenders.mjs';
import { openNode } from './node.mjs';
import { tables } from './tables.mjs';
import { workloads } from './workloads.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    on: { type: 'string' },
    in: { type: 'string', default: 'node,chromium' },
    frames: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});

function chosen(list, names) {
  const unknown = names?.split(',').find((name) => !list.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${unknown} is none of ${list.join(', ')}`);
  }
  return names === undefined ? list : list.filter((name) => names.split(',').includes(name));
}

const progress = (text) => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

/** Makes a workload; up to 10,000 boxes, compares the sweep that finds its true pairs with brute force. */
function describe(on) {
  const workload = workloads[on]();
  const pairs = workload.truth().length;
  if (workload.n <= 10_000 && workload.bruteForceCount() !== pairs) {
    throw new Error(`the sweep finds ${pairs} pairs in ${on}, brute force ${workload.bruteForceCount()}`);
  }
  progress(`${on}: ${workload.n} boxes, ${workload.statics} of them static, ${pairs} pairs`);
  return workload;
}

const enter = { node: openNode, chromium: openPage };
const names = chosen(Object.keys(contenders), options.only);
const ons = chosen(Object.keys(workloads), options.on);
const places = [];
for (const name of chosen(Object.keys(enter), options.in)) {
  places.push({ name, ...(await enter[name]()) });
}

const profiles = [];
for (const name of names.filter((one) => !contenders[one].plain)) {
  progress(name);
  for (const place of places) {
    const three = [];
    while (three.length < 3) {
      three.push(await place.profile('startUp', name));
    }
    const startUp = three.sort((a, b) => a - b)[1];
    profiles.push({ in: place.name, name, startUp, ...(await place.profile('costs', name)) });
  }
}

const results = [];
for (const on of ons) {
  const { n, statics } = describe(on);
  for (const name of names) {
    const { most, moving, profileOnly } = contenders[name];
    if (profileOnly || n > (most ?? Infinity) || (moving && statics > 0)) {
      continue;
    }
    for (const place of places) {
      const result = await place.race(on, name, Number(options.frames));
      results.push({ workload: on, in: place.name, name, ...result });
    }
    const own = results.filter((one) => one.workload === on && one.name === name);
    const remarks = own.map(({ ms, frames, wrong, note }) =>
      [`${ms.toPrecision(3)} ms, ${frames} frames`, wrong, note].filter(Boolean).join(', '),
    );
    progress(`  ${name}: ${remarks.join('; ')}`);
  }
}

for (const { close } of places) {
  await close();
}
const versions = Object.fromEntries(places.map(({ name, version }) => [name, version]));
console.log(tables({ results, profiles }, versions));
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0].model, in: versions, date: new Date().toISOString() };
  writeFileSync(options.json, `${JSON.stringify({ machine, results, profiles }, undefined, 2)}\n`);
}
