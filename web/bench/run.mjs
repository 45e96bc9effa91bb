// Races all contenders on all workloads, in Node and in Chromium, and prints one table.
//   npm run bench -w bench -- [--only=name,name] [--on=U10k,pinball] [--in=node,chromium] [--frames=60] [--json=file]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openPage } from './chromium.mjs';
import { contenders, ready, references } from './contenders.mjs';
import { race } from './race.mjs';
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

const chosen = (list, names) => (names === undefined ? list : list.filter((name) => names.split(',').includes(name)));

/** Makes a workload; up to 10,000 boxes, compares the sweep that finds its true pairs with brute force. */
function describe(on) {
  const workload = workloads[on]();
  const pairs = workload.truth().length;
  if (workload.n <= 10_000 && workload.bruteForceCount() !== pairs) {
    throw new Error(`the sweep finds ${pairs} pairs in ${on}, brute force ${workload.bruteForceCount()}`);
  }
  return { n: workload.n, statics: workload.statics, pairs };
}

const enter = {
  node: async () => {
    await ready;
    return { version: `Node ${process.version}`, race, close: () => {} };
  },
  chromium: openPage,
};
const places = [];
for (const name of chosen(Object.keys(enter), options.in)) {
  places.push({ name, ...(await enter[name]()) });
}

const inColumns = (texts) => texts.map((text) => text.padStart(13)).join('');
const columns = places.flatMap(() => ['ms', ...Object.keys(references).map((name) => `x ${name}`)]);

const results = [];
for (const on of chosen(Object.keys(workloads), options.on)) {
  const { n, statics, pairs } = describe(on);
  console.log(`\n${on}: ${n} boxes, ${statics} of them static, ${pairs} pairs`);
  console.log(`  ${''.padEnd(24)}${places.map(({ version }) => version.padStart(39)).join('')}`);
  console.log(`  ${'contender'.padEnd(24)}${inColumns(columns)}   pairs`);
  for (const [name, { most, moving, does }] of Object.entries(contenders)) {
    if (!chosen([name], options.only).length || n > (most ?? Infinity) || (moving && statics > 0)) {
      continue;
    }
    const cells = [];
    const remarks = new Set();
    for (const place of places) {
      const result = await place.race(on, name, Number(options.frames));
      results.push({ workload: on, in: place.name, name, ...result });
      const numbers = [result.ms, ...Object.keys(references).map((reference) => result.ratios[reference])];
      cells.push(...numbers.map((x) => x?.toPrecision(3) ?? ''));
      remarks.add(result.wrong || 'exact');
      remarks.add(result.note);
    }
    console.log(`  ${name.padEnd(24)}${inColumns(cells)}   ${[...remarks, does].filter(Boolean).join('; ')}`);
  }
}

for (const { close } of places) {
  await close();
}
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0].model, in: places.map(({ version }) => version), date: new Date().toISOString() };
  writeFileSync(options.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
}
