// The race in Node: races in this process, a process of its own for each profile.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { race } from './race.mjs';

const script = fileURLToPath(new URL('profile_process.mjs', import.meta.url));

async function profile(what, name) {
  const { stdout } = await promisify(execFile)(process.execPath, [script, what, name]);
  return JSON.parse(stdout);
}

export async function openNode() {
  return { version: `Node ${process.versions.node}`, race, profile, close: () => {} };
}
