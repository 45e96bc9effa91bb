// Builds dist/ from the two modules that CMake made and the TypeScript beside: `npm run build`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { minifySync } from 'vite';
import { pack } from './pack.mjs';

// What a page loads where there is SIMD, in bytes, gzipped.
const maxToLoad = { index: 250_000, inline: 165_000 };

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

const loaded = {
  index: [...importedBy(join(home, 'dist', 'index.js')), join(home, 'dist', 'broadside.wasm')],
  inline: [...importedBy(join(home, 'dist', 'inline.js'))],
};
// Names stay, so that whoever follows a call into them can read them.
for (const script of readdirSync(join(home, 'dist')).filter((name) => name.endsWith('.js') && !name.startsWith('module_'))) {
  const path = join(home, 'dist', script);
  const { code, errors } = minifySync(script, readFileSync(path, 'utf8'), { module: true, mangle: false, compress: true });
  if (errors.length > 0) {
    throw new Error(`${script}: ${errors[0].message}`);
  }
  writeFileSync(path, code);
}

// CommonJS: each file but those that find others by address translated alone, with its types, in a folder that says so.
const commonJs = join(home, 'dist', 'cjs');
mkdirSync(commonJs);
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n');
for (const file of readdirSync(join(home, 'dist')).filter((name) => /^(?!index\.|worker|world_(worker|host)).*\.(d\.ts|js)$/.test(name))) {
  const text = readFileSync(join(home, 'dist', file), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  const isScript = file.endsWith('.js');
  writeFileSync(join(commonJs, file), isScript ? ts.transpileModule(text, { compilerOptions }).outputText : text);
}

for (const [entry, files] of Object.entries(loaded)) {
  const sum = files.reduce((before, file) => before + gzipped(readFileSync(file)), 0);
  console.log(`${entry}: a page loads ${files.length} files, ${sum} bytes gzipped`);
  if (sum > maxToLoad[entry]) {
    console.error(`build: with ${entry}.js a page would load ${sum} bytes; the limit is ${maxToLoad[entry]}`);
    process.exit(1);
  }
}
