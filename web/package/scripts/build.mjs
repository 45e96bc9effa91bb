// Builds dist/ from the two modules that CMake made and the TypeScript beside: `npm run build`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';

const mostToLoad = 180_000; // bytes, gzipped, of what `import 'broadside'` loads where there is SIMD

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(home, '..', '..');
const variants = [
  { name: 'simd', preset: 'wasm', file: 'broadside.wasm' },
  { name: 'plain', preset: 'wasm-plain', file: 'broadside-plain.wasm' },
];
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** Returns the scripts that one of dist/ imports at once, itself among them. */
function importedBy(script, found = new Set()) {
  if (!found.has(script)) {
    found.add(script);
    for (const [, next] of readFileSync(script, 'utf8').matchAll(/^(?:import|export) (?:[^'"]* from )?'(\..*)';$/gm)) {
      importedBy(join(dirname(script), next), found);
    }
  }
  return found;
}

/** Runs the compiler of TypeScript. */
function tsc(...more) {
  const { status } = spawnSync(join(root, 'web', 'node_modules', '.bin', 'tsc'), ['-p', home, ...more], { stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

/** Packs a module as src/variants.ts unpacks it; each stream is compressed for itself. */
function pack(module, { walk, streamCount }) {
  const streams = Array.from({ length: streamCount }, () => []);
  let at = 0;
  walk(module.length, (stream) => {
    streams[stream].push(module[at]);
    return module[at++];
  });
  const deflated = streams.map((bytes, i) => {
    const finishFlush = i + 1 < streams.length ? constants.Z_FULL_FLUSH : constants.Z_FINISH;
    return deflateRawSync(Uint8Array.from(bytes), { level: 9, memLevel: 9, finishFlush });
  });
  const lengths = streams.map(({ length }) => length);
  return { size: module.length, lengths, text: Buffer.concat(deflated).toString('base64') };
}

rmSync(join(home, 'dist'), { recursive: true, force: true });
// Whoever writes a program wants the comments; a page that runs it does not.
tsc('--emitDeclarationOnly');
tsc('--declaration', 'false', '--removeComments');
const streams = await import(pathToFileURL(join(home, 'dist', 'streams.js')));
for (const { name, preset, file } of variants) {
  const from = join(root, 'build', preset, 'adapters', 'wasm', 'broadside.wasm');
  const module = readFileSync(from);
  copyFileSync(from, join(home, 'dist', file));
  const packed = `export const packed = ${JSON.stringify(pack(module, streams))};\n`;
  writeFileSync(join(home, 'dist', `module_${name}.js`), packed);
  console.log(`${file}: ${module.length} bytes, ${gzipped(module)} gzipped; packed ${gzipped(packed)} gzipped`);
}
copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'));

const loaded = [...importedBy(join(home, 'dist', 'index.js'))];
const sum = loaded.reduce((before, script) => before + gzipped(readFileSync(script)), 0);
console.log(`what a page loads: ${loaded.length} scripts, ${sum} bytes gzipped`);
if (sum > mostToLoad) {
  console.error(`build: a page would load ${sum} bytes; they must not be more than ${mostToLoad}`);
  process.exit(1);
}
