// The time from the import of the package to its first pair, in ms, in a new process: node first_pair.mjs
const start = performance.now();
const { findPairs, load } = await import('broadside');
const imported = performance.now();
await load();
const loaded = performance.now();
findPairs(new Float32Array([0, 0, 1, 1, 0.5, 0.5, 2, 2]));
const end = performance.now();
const ms = (from, to) => (to - from).toFixed(1);
console.log(`import ${ms(start, imported)}, load ${ms(imported, loaded)}, findPairs ${ms(loaded, end)}, all ${ms(start, end)}`);
