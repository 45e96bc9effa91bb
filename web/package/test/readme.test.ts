import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as inline from '../dist/inline.js';
import * as main from '../dist/index.js';

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

// Types exist only in the declarations.
function namesIn(declarations: string): string[] {
  const listed = [...declarations.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) => names!.split(','));
  const declared = [...declarations.matchAll(/export declare (?:const|function|class) (\w+)|export type (\w+) =/g)];
  return [...listed, ...declared.map(([, value, type]) => (value ?? type) as string)].map((name) => name.trim());
}

it('lists every name that the package exports, and no other', () => {
  const exported = new Set([
    ...Object.keys(main),
    ...Object.keys(inline),
    ...namesIn(textOf('../dist/api.d.ts')),
    ...namesIn(textOf('../dist/index.d.ts')),
  ]);
  exported.delete('default');
  exported.delete('');
  const section = textOf('../README.md').split('## Every name')[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.length).toBeGreaterThan(50);
  expect([...listed].sort()).toEqual([...exported].sort());
});
