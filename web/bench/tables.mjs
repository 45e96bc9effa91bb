// Writes results as the tables of README.md.
import { contenders, references } from './contenders.mjs';
import { workloads } from './workloads.mjs';

/** A number with two digits, or all digits before the point; empty if there is none. */
function short(x) {
  if (x === undefined) {
    return '';
  }
  const digits = x >= 100 ? Math.round(x) : Number(x.toPrecision(2));
  return digits < 1 || digits >= 10 ? String(digits) : digits.toFixed(1);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|${'---:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}

/** One table: a row for each contender with a number, a column for each workload, a number for each place. */
function tableOf(results, places, ons, valueOf) {
  const rows = [];
  for (const name of Object.keys(contenders)) {
    const cells = ons.map((on) => {
      const found = places.map((place) => {
        const result = results.find((one) => one.in === place && one.workload === on && one.name === name);
        return result === undefined ? '' : short(valueOf(result));
      });
      return found.some(Boolean) ? found.join(' / ') : '';
    });
    if (cells.some(Boolean)) {
      rows.push([name, ...cells]);
    }
  }
  return table(['', ...ons], rows);
}

function profileTable(profiles, places) {
  const rows = [];
  for (const name of Object.keys(contenders)) {
    const own = places.map((place) => profiles.find((one) => one.in === place && one.name === name));
    if (own.every((one) => one === undefined)) {
      continue;
    }
    const cell = (key, scale) => {
      const found = own.map((one) => (one?.[key] === undefined ? '' : short(one[key] / scale)));
      return found.filter(Boolean).join(' / ');
    };
    rows.push([name, cell('startUp', 1), cell('memory', 1e6), cell('read', 1)]);
  }
  return table(['', 'start-up, ms', 'memory, MB', 'read a position, ns'], rows);
}

/** Which contenders do not find the true pairs, and where. */
function differences(results) {
  const found = new Map();
  for (const { name, wrong } of results) {
    if (wrong) {
      found.set(name, [...(found.get(name) ?? []), wrong]);
    }
  }
  return [...found].map(([name, all]) => `- ${name}: in ${all.length} of its races, such as ${all[0]}`).join('\n');
}

/**
 * @param results of `race`, each with `in` (a place), `workload` and `name`
 * @param profiles of `profile`, each with `in` and `name`
 */
export function tables({ results, profiles }, versions) {
  const places = Object.keys(versions);
  const ons = Object.keys(workloads).filter((on) => results.some(({ workload }) => workload === on));
  const text = [`${Object.values(versions).join(' / ')}`];
  const add = (title, body) => text.push(`${title}:`, body);
  if (results.length > 0) {
    add('Mean time of a frame, in ms', tableOf(results, places, ons, ({ ms }) => ms));
    for (const reference of Object.keys(references).reverse()) {
      const title = `Times relative to \`${reference}\` of the same run`;
      add(title, tableOf(results, places, ons, ({ ratios }) => ratios[reference]));
    }
    add('Worst frame, in ms', tableOf(results, places, ons, ({ worst }) => worst));
    const others = differences(results);
    add('Contenders whose pairs differ from the true ones', others === '' ? 'none' : others);
  }
  if (profiles.length > 0) {
    add('Start-up, memory and reading', profileTable(profiles, places));
  }
  return `${text.join('\n\n')}\n`;
}
