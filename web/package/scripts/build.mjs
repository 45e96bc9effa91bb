// Builds dist/ from the two modules that CMake made and the TypeScript beside: `npm run build`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rollup } from 'rollup';
import ts from 'typescript';
import { minifySync } from 'vite';
import { pack } from './pack.mjs';

// What a page loads where there is SIMD, in bytes, gzipped.
const maxToLoad = { index: 250_000, inline: 165_000 };

// The scripts that users import or run by name, and those that tests do.
const entries = ['index', 'inline', 'p2', 'matter', 'ecs', 'worker', 'world_worker', 'engine', 'world_host', 'unpack', 'bytecode', 'model'];

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(home, '..', '..');
const variants = [
  { name: 'simd', preset: 'wasm', file: 'broadside.wasm' },
  { name: 'plain', preset: 'wasm-plain', file: 'broadside-plain.wasm' },
];
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

/**
 * Returns a module without its custom sections, which say what engines find out themselves. wasm-opt can leave them out,
 * too, but writes the code again, 1.4 kB larger when packed.
 */
function withoutCustomSections(module) {
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const begin = at++;
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7, ++at) {
      size |= (module[at] & 127) << shift;
      more = module[at] > 127;
    }
    at += size;
    if (module[begin] !== 0) {
      parts.push(module.subarray(begin, at));
    }
  }
  return Buffer.concat(parts);
}

/** Runs the compiler of TypeScript. */
function tsc(...more) {
  const { status } = spawnSync(join(root, 'web', 'node_modules', '.bin', 'tsc'), ['-p', home, ...more], { stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

rmSync(join(home, 'dist'), { recursive: true, force: true });
// Whoever writes a program wants the comments; a page that runs it does not.
tsc('--emitDeclarationOnly');
tsc('--declaration', 'false', '--removeComments');
const [bytecode, model] = await Promise.all(
  ['bytecode.js', 'model.js'].map((script) => import(pathToFileURL(join(home, 'dist', script)))),
);
for (const { name, preset, file } of variants) {
  const from = join(root, 'build', preset, 'adapters', 'wasm', 'broadside.wasm');
  const module = withoutCustomSections(readFileSync(from));
  writeFileSync(join(home, 'dist', file), module);
  const packed = `export const packed = ${JSON.stringify(pack(module, bytecode, model))};\n`;
  writeFileSync(join(home, 'dist', `module_${name}.js`), packed);
  console.log(`${file}: ${module.length} bytes, ${gzipped(module)} gzipped; packed ${gzipped(packed)} gzipped`);
}
copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'));

// CommonJS: each file but those that find others by address translated alone, with its types, in a folder that says so.
const commonJs = join(home, 'dist', 'cjs');
mkdirSync(commonJs);
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n');
for (const file of readdirSync(join(home, 'dist')).filter((name) => /^(?!index\.|worker|world_(worker|host)).*\.(d\.ts|js)$/.test(name))) {
  const text = readFileSync(join(home, 'dist', file), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  writeFileSync(join(commonJs, file), file.endsWith('.js') ? ts.transpileModule(text, { compilerOptions }).outputText : text);
}

// A page or Node loads the fewer files the faster, so what index.js imports is joined in one script, which others share.
const inDist = (name) => join(home, 'dist', `${name}.js`);
const [{ moduleIds }] = (await (await rollup({ input: inDist('index') })).generate({})).output;
const scripts = readdirSync(join(home, 'dist')).filter((file) => file.endsWith('.js'));
const bundle = await rollup({ input: entries.map(inDist) });
const { output } = await bundle.generate({
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  manualChunks: (path) => (moduleIds.includes(path) && path !== inDist('index') ? 'shared' : undefined),
});
scripts.forEach((script) => rmSync(join(home, 'dist', script)));
// Names stay, so that whoever follows a call into them can read them.
for (const { fileName, code } of output) {
  const small = minifySync(fileName, code, { module: true, mangle: false, compress: true });
  if (small.errors.length > 0) {
    throw new Error(`${fileName}: ${small.errors[0].message}`);
  }
  writeFileSync(join(home, 'dist', fileName), small.code);
}

/** Returns the scripts that one of dist/ imports at once, itself among them. */
function importedBy(script, found = new Set()) {
  if (!found.has(script)) {
    found.add(script);
    output.find(({ fileName }) => fileName === script).imports.forEach((next) => importedBy(next, found));
  }
  return found;
}

const loaded = {
  index: [...importedBy('index.js'), 'broadside.wasm'],
  inline: [...importedBy('inline.js')],
};
for (const [entry, files] of Object.entries(loaded)) {
  const sum = files.reduce((before, file) => before + gzipped(readFileSync(join(home, 'dist', file))), 0);
  console.log(`${entry}: a page loads ${files.length} files, ${sum} bytes gzipped`);
  if (sum > maxToLoad[entry]) {
    console.error(`build: with ${entry}.js a page would load ${sum} bytes; the limit is ${maxToLoad[entry]}`);
    process.exit(1);
  }
}
