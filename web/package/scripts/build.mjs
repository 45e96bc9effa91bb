// Builds dist/ from the two modules that CMake made and the TypeScript beside: `npm run build`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(home, '..', '..');
const modules = { simd: 'wasm', plain: 'wasm-plain' };
const files = { simd: 'broadside.wasm', plain: 'broadside-plain.wasm' };

rmSync(join(home, 'dist'), { recursive: true, force: true });
mkdirSync(join(home, 'dist'));
let inline = '// Made by scripts/build.mjs: the modules, compressed (deflate, raw), in base64.\n';
for (const [name, preset] of Object.entries(modules)) {
  const from = join(root, 'build', preset, 'adapters', 'wasm', 'broadside.wasm');
  const bytes = readFileSync(from);
  copyFileSync(from, join(home, 'dist', files[name]));
  const packed = deflateRawSync(bytes, { level: 9, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY });
  inline += `export const ${name} =\n  '${packed.toString('base64')}';\n`;
  console.log(`${files[name]}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
}
writeFileSync(join(home, 'src', 'inline.ts'), inline);
copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'));

const tsc = spawnSync(join(root, 'web', 'node_modules', '.bin', 'tsc'), ['-p', home], { stdio: 'inherit' });
process.exit(tsc.status ?? 1);
