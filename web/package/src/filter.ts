import type { Body } from './body.js';
import { invalid } from './errors.js';

/** Up to 64 layers as bits. A number below zero has its upper bits set, so `~4` is all except the third. */
export type Bits = number | bigint;

/** Which bodies may touch. The default filter lets everything through. */
export interface Filter {
  /** The layers that the body is on; 1 by default. */
  readonly layer?: Bits;
  /** The layers that it may touch, all by default. Both sides must agree. */
  readonly mask?: Bits;
  /** The layers that it is interested in, all by default; one interested side is enough for a pair. */
  readonly wants?: Bits;
  /** Not 0 and the same on both sides: above 0 always touch, below 0 never. */
  readonly group?: number;
}

/** Which bodies a query finds: by default all that are enabled. */
export interface QueryOptions {
  /** Finds the bodies that a body with this filter may touch; all by default. */
  readonly filter?: Filter;
  /** False leaves static bodies out. */
  readonly staticBodies?: boolean;
  /** False leaves kinematic bodies out. */
  readonly kinematicBodies?: boolean;
  /** False leaves dynamic bodies out. */
  readonly dynamicBodies?: boolean;
  /** False leaves sensors out. */
  readonly sensors?: boolean;
  /** Leaves out one body, such as the one that casts the ray. */
  readonly except?: Body;
}

function pushBits(numbers: number[], bits: Bits): void {
  if (typeof bits !== 'bigint' && !Number.isSafeInteger(bits)) {
    throw invalid(`${bits} is no set of bits; above 2^53 use a bigint`);
  }
  const all = BigInt.asUintN(64, BigInt(bits));
  numbers.push(Number(all & 0xffffffffn), Number(all >> 32n));
}

const plain = [1, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0];

/** Pushes a filter as the module reads it. */
export function pushFilter(numbers: number[], filter: Filter | undefined): void {
  if (filter === undefined) {
    numbers.push(...plain);
    return;
  }
  pushBits(numbers, filter.layer ?? 1);
  pushBits(numbers, filter.mask ?? -1);
  pushBits(numbers, filter.wants ?? -1);
  const group = filter.group ?? 0;
  if ((group | 0) !== group) {
    throw invalid(`${group} is no group: it must be 32 bits`);
  }
  numbers.push(group >>> 0);
}

/** Reads a filter that the module wrote. */
export function readFilter(numbers: readonly number[]): Required<Filter> {
  const bits = (i: number) => BigInt(numbers[i] ?? 0) | (BigInt(numbers[i + 1] ?? 0) << 32n);
  return { layer: bits(0), mask: bits(2), wants: bits(4), group: numbers[6] ?? 0 };
}
