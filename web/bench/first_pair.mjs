// The time from the import of the package to its first pair, in ms, in a new process: node first_pair.mjs
const start = performance.now();
const { findPairs, load } = await import('broadside');
const imported = performance.now();
await load();
const loaded = performance.now();
const pairs = findPairs(new Float32Array([0, 0, 1, 1, 0.5, 0.5, 2, 2]));
const end = performance.now();
const times = { import: imported - start, load: loaded - imported, findPairs: end - loaded, all: end - start };
console.log(JSON.stringify({ pairs: pairs.length / 2, ...times }, (_, value) => Math.round(10 * value) / 10 || value));
