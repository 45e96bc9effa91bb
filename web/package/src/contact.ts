import type { Body } from './body.js';
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

export const endCauses: readonly EndCause[] = ['parted', 'removed', 'disabled', 'filtered'];

/** Two bodies that touched in the step before, and do not now. */
export interface ContactEnd {
  /** The body `a` of the contact. */
  readonly a: Body;
  /** The body `b` of the contact. */
  readonly b: Body;
  /** Why they no longer touch. */
  readonly cause: EndCause;
}

/** The number of numbers that the module writes for a contact. */
export const contactNumbers = 18;

/** Reads a contact that the module wrote at `i`; `find` returns a body by index and generation. */
export function readContact(
  numbers: readonly number[],
  i: number,
  find: (index: number, generation: number) => Body,
): Contact {
  const at = (k: number) => numbers[i + k] as number;
  const points: ContactPoint[] = [];
  for (let k = 0; k < at(9); ++k) {
    const p = 10 + 4 * k;
    points.push({ position: { x: at(p), y: at(p + 1) }, separation: at(p + 2), feature: at(p + 3) });
  }
  return {
    a: find(at(0), at(1)),
    b: find(at(2), at(3)),
    begun: at(4) !== 0,
    fraction: at(5),
    approachSpeed: at(6),
    normal: { x: at(7), y: at(8) },
    points,
  };
}

/** Returns the contact with a and b swapped. */
export function swapped(contact: Contact): Contact {
  return { ...contact, a: contact.b, b: contact.a, normal: { x: -contact.normal.x, y: -contact.normal.y } };
}
