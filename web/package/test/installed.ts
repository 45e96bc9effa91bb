import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));

/** Installs the package, as it would be published, in a new folder with the given files; returns the folder. */
export function install(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-'));
  const npm = (...more: string[]) => execFileSync('npm', more, { cwd: home, encoding: 'utf8' }).trim();
  const archive = npm('pack', '--silent', '--pack-destination', folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm('install', '--silent', '--offline', '--no-package-lock', '--prefix', folder, join(folder, archive));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
