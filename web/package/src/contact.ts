import type { Body } from './body.js';
import { allFloats, allWords, floatsAt, output, wordsAt } from './engine.js';
import type { Point } from './geometry.js';

/** One point where two shapes touch. */
export interface ContactPoint {
  /** Halfway between the two surfaces (world). */
  readonly position: Point;
  /** Along the normal; 0 where they just touch, negative inside, above 0 within `endMargin` (unit: length). */
  readonly separation: number;
  /** Identifies the corners or edges that made it; the same as long as they are. */
  readonly feature: number;
}

/** Two bodies that touch. */
export interface Contact {
  /** For `Body.contacts` that body; for a listener the body of its first tag; otherwise the lower of the two. */
  readonly a: Body;
  /** The other one. */
  readonly b: Body;
  /** Whether they did not touch in the step before. */
  readonly begun: boolean;
  /**
   * When they met, as a fraction of the step: 1, unless the contact was found on the path of a swept body (a bullet,
   * or a fast body in a world with `response: 'bounce'`).
   */
  readonly fraction: number;
  /**
   * How fast their velocities brought them together along the normal when the contact was found; negative if they
   * were separating (unit: length per second).
   */
  readonly approachSpeed: number;
  /** Unit vector from a to b: moving b along it separates them. */
  readonly normal: Point;
  /** The contact points: one or two. */
  readonly points: readonly ContactPoint[];
}

/** Why two bodies no longer touch. */
export type EndCause = 'parted' | 'removed' | 'disabled' | 'filtered';

const endCauses: readonly EndCause[] = ['parted', 'removed', 'disabled', 'filtered'];

/** Two bodies that touched in the step before, and do not now. */
export interface ContactEnd {
  /** The body `a` of the contact. */
  readonly a: Body;
  /** The body `b` of the contact. */
  readonly b: Body;
  /** Why they no longer touch. */
  readonly cause: EndCause;
}

/**
 * The contacts of a step as arrays: element i of each is of the i-th contact, and means what the property of `Contact`
 * means. Views into the module's memory, valid until the next call of the package.
 */
export interface ContactArrays {
  /** The number of contacts. */
  readonly length: number;
  /** Index and generation of a, then of b: [length][4]. */
  readonly bodies: Uint32Array;
  /** 1 if they did not touch in the step before: [length]. */
  readonly begun: Uint32Array;
  /** How many points there are: [length]. */
  readonly pointCounts: Uint32Array;
  /** Of the points: [length][2]. */
  readonly features: Uint32Array;
  /** From a to b: [length][2]. */
  readonly normals: Float32Array;
  /** When they met: [length]. */
  readonly fractions: Float32Array;
  /** How fast they met: [length]. */
  readonly approachSpeeds: Float32Array;
  /** Position and separation of the points: [length][2][3]; 0 for a second point that does not exist. */
  readonly points: Float32Array;
}

/** The ends of contacts in a step as arrays, like `ContactArrays`. */
export interface EndArrays {
  /** The number of ends. */
  readonly length: number;
  /** Index and generation of a, then of b: [length][4]. */
  readonly bodies: Uint32Array;
  /** Why they no longer touch: [length], 0 parted, 1 removed, 2 disabled, 3 filtered. */
  readonly causes: Uint32Array;
}

type Find = (index: number, generation: number) => Body;

/** Events that the module has written: how many, and the addresses of their arrays. */
export type Written = readonly [length: number, words: number, numbers: number];

/** Returns the contacts, or the ends, that the module wrote last. */
export function written(): Written {
  return output() as [number, number, number];
}

export function contactArrays([length, words, numbers]: Written): ContactArrays {
  const wordsFrom = (begin: number, size: number) => wordsAt(words + 4 * begin * length, size * length);
  const numbersFrom = (begin: number, size: number) => floatsAt(numbers + 4 * begin * length, size * length);
  return {
    length,
    bodies: wordsFrom(0, 4),
    begun: wordsFrom(4, 1),
    pointCounts: wordsFrom(5, 1),
    features: wordsFrom(6, 2),
    normals: numbersFrom(0, 2),
    fractions: numbersFrom(2, 1),
    approachSpeeds: numbersFrom(3, 1),
    points: numbersFrom(4, 6),
  };
}

export function endArrays([length, words]: Written): EndArrays {
  return { length, bodies: wordsAt(words, 4 * length), causes: wordsAt(words + 16 * length, length) };
}

// A view takes longer to make than a contact, so these read from those of the whole memory.

/** Returns the i-th contact as an object; `find` returns a body by index and generation. */
export function contactAt([length, wordsPlace, numbersPlace]: Written, i: number, find: Find): Contact {
  const words = allWords();
  const floats = allFloats();
  const word = (begin: number, k: number) => words[(wordsPlace >>> 2) + begin * length + k]!;
  const float = (begin: number, k: number) => floats[(numbersPlace >>> 2) + begin * length + k]!;
  const points: ContactPoint[] = [];
  for (let k = 2 * i; k < 2 * i + word(5, i); ++k) {
    points.push({
      position: { x: float(4, 3 * k), y: float(4, 3 * k + 1) },
      separation: float(4, 3 * k + 2),
      feature: word(6, k),
    });
  }
  const begun = word(4, i) === 1;
  const fraction = float(2, i);
  const approachSpeed = float(3, i);
  const normal = { x: float(0, 2 * i), y: float(0, 2 * i + 1) };
  const a = find(word(0, 4 * i), word(0, 4 * i + 1));
  const b = find(word(0, 4 * i + 2), word(0, 4 * i + 3));
  return { a, b, begun, fraction, approachSpeed, normal, points };
}

/** Returns the i-th end as an object. */
export function endAt([length, place]: Written, i: number, find: Find): ContactEnd {
  const words = allWords();
  const at = (place >>> 2) + 4 * i;
  return {
    a: find(words[at]!, words[at + 1]!),
    b: find(words[at + 2]!, words[at + 3]!),
    cause: endCauses[words[(place >>> 2) + 4 * length + i]!]!,
  };
}

/** Returns the contact with a and b swapped. */
export function swapped(contact: Contact): Contact {
  return { ...contact, a: contact.b, b: contact.a, normal: { x: -contact.normal.x, y: -contact.normal.y } };
}
