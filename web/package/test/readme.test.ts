import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as ecs from '../dist/ecs.js';
import * as main from '../dist/index.js';
import * as inline from '../dist/inline.js';
import * as matter from '../dist/matter.js';
import * as p2 from '../dist/p2.js';
import * as worker from '../dist/worker.js';

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

// Types exist only in the declarations.
function namesIn(declarations: string): string[] {
  const listed = [...declarations.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) => names!.split(','));
  const declared = [...declarations.matchAll(/export declare (?:const|function|class) (\w+)|export (?:declare )?(?:interface|type) (\w+)/g)];
  return [...listed, ...declared.map(([, value, type]) => (value ?? type) as string)].map((name) => name.trim());
}

// The scripts of each entry, and its declarations.
const entries: Record<string, readonly [object, ...string[]]> = {
  broadside: [main, 'index', 'api'],
  'broadside/p2': [p2, 'p2'],
  'broadside/matter': [matter, 'matter'],
  'broadside/ecs': [ecs, 'ecs'],
  'broadside/worker': [worker, 'worker'],
};

function exportsOf(values: object, ...files: string[]): string[] {
  const names = new Set([...Object.keys(values), ...files.flatMap((file) => namesIn(textOf(`../dist/${file}.d.ts`)))]);
  names.delete('');
  return [...names].sort();
}

const section = textOf('../README.md').split('## Every name')[1]!.split('\n## ')[0]!;
const rows = [...section.matchAll(/^\| \[`(\w+)`\]\((src\/\w+\.ts)\) \| (.+) \|$/gm)];

it.each(Object.entries(entries))('lists every name that %s exports, and no other', (entry, [values, ...files]) => {
  const part = section.split(`### \`${entry}\`\n`)[1]!.split('\n### ')[0]!;
  const listed = rows.filter(([row]) => part.includes(row)).map(([, name]) => name);
  expect(listed.sort()).toEqual(exportsOf(values, ...files));
});

it('lists the entries that the package has', () => {
  const { exports } = JSON.parse(textOf('../package.json')) as { exports: Record<string, unknown> };
  const scripts = Object.keys(exports).filter((path) => !/\.(wasm|json)$/.test(path));
  const named = [...Object.keys(entries), 'broadside/inline', 'broadside/world-worker'];
  expect(scripts.map((path) => path.replace('.', 'broadside')).sort()).toEqual(named.sort());
  for (const name of named) {
    expect(section).toContain(`\`${name}\``);
  }
  const common = exportsOf(main, 'index', 'api').filter((name) => name !== 'load' && name !== 'Source');
  expect(exportsOf(inline, 'inline', 'api')).toEqual(common);
});

it('has one line for each name, which leads to the file that declares it', () => {
  expect(rows.length).toBe(section.split('\n').filter((line) => line.startsWith('| [')).length);
  for (const [, name, file, text] of rows) {
    expect(textOf(`../${file}`)).toMatch(new RegExp(`^export (declare )?(const|function|class|interface|type|let) ${name}\\b`, 'm'));
    expect(text).toMatch(/^[A-Z].*\.$/);
  }
});
