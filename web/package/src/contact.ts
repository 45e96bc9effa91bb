import type { Body } from './body.js';
import type { Point } from './geometry.js';

/** One point where two shapes touch. */
export interface ContactPoint {
  /** Halfway between the two surfaces (world). */
  readonly position: Point;
  /** Along the normal; 0 where they just touch, negative inside, above 0 within `endMargin` (unit: length). */
  readonly separation: number;
  /** Which corners or edges made it: the same as long as those are the same. */
  readonly feature: number;
}

/** Two bodies that touch. */
export interface Contact {
  /** Of `Body.contacts` that body, for a listener who fits its first tag, else the lower of the two. */
  readonly a: Body;
  /** The other one. */
  readonly b: Body;
  /** They did not touch in the step before. */
  readonly begun: boolean;
  /**
   * When they met, as share of the step: 1, unless the contact was found on the path of a body that is swept (a bullet,
   * or a fast body in a world with `response: 'bounce'`).
   */
  readonly time: number;
  /**
   * How fast their velocities brought them together along the normal when the contact was found; negative where they
   * part (unit: length per second).
   */
  readonly approachSpeed: number;
  /** Unit vector from a to b: moving b along it parts them. */
  readonly normal: Point;
  /** One or two. */
  readonly points: readonly ContactPoint[];
}

/** Why two bodies do not touch any more. */
export type EndCause = 'parted' | 'removed' | 'disabled' | 'filtered';

export const endCauses: readonly EndCause[] = ['parted', 'removed', 'disabled', 'filtered'];

/** Two bodies that touched in the step before, and do not now. */
export interface ContactEnd {
  /** As `a` of the contact. */
  readonly a: Body;
  /** As `b` of the contact. */
  readonly b: Body;
  /** Why. */
  readonly cause: EndCause;
}

/** How many numbers the module writes for a contact. */
export const contactNumbers = 18;

/** Reads a contact that the module wrote at `i`; `find` returns a body by index and generation. */
export function readContact(
  numbers: Float64Array,
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
    time: at(5),
    approachSpeed: at(6),
    normal: { x: at(7), y: at(8) },
    points,
  };
}

/** Returns the contact as the other body has it. */
export function turned(contact: Contact): Contact {
  return { ...contact, a: contact.b, b: contact.a, normal: { x: -contact.normal.x, y: -contact.normal.y } };
}
