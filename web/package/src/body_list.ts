import { allocate, check, engine, floatsAt, Held, wordsAt } from './engine.js';
import { expectCount } from './errors.js';
import { refuseWrongTypes } from './refusing.js';
import type { Body } from './body.js';
import type { World } from './world.js';

/**
 * Bodies that are moved and read together: for pages that draw a hundred thousand of them. Nothing is copied number by
 * number. `release` frees the list; its bodies stay.
 */
export class BodyList extends Held {
  readonly #ids: number; // [length][2]
  readonly #values: number; // [length][4], or the positions: [length][2]

  /** @internal Made by `World.list` and `World.addCircles`. */
  constructor(
    /** The world that they are in. */
    readonly world: World,
    /** How many there are. */
    readonly length: number,
    add: (ids: number) => void,
  ) {
    super();
    const at = allocate(Math.max(1, 24 * length));
    this.#ids = at;
    this.#values = at + 8 * length;
    this.hold(() => engine().release(at));
    try {
      add(at);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Returns one of the bodies; nothing if `i` is out of range. */
  at(i: number): Body | undefined {
    if (!(i >= 0 && i < this.length)) {
      return undefined;
    }
    const ids = wordsAt(this.#held(this.#ids), 2 * this.length);
    return this.world.find(ids[2 * i] as number, ids[2 * i + 1] as number);
  }

  /**
   * Reads the positions of the bodies: [length][2]. A view into the module's memory, valid until the next call of the
   * package.
   */
  readPositions(): Float32Array {
    check(engine().world_positions(this.world.handle, this.#held(this.#ids), this.length, this.#values));
    return floatsAt(this.#values, 2 * this.length);
  }

  /**
   * Reads the positions and rotations of the bodies: [length][4], each x, y, and the cosine and the sine of the angle.
   * A view like that of `readPositions`.
   */
  readTransforms(): Float32Array {
    check(engine().world_transforms(this.world.handle, this.#held(this.#ids), this.length, this.#values));
    return floatsAt(this.#values, 4 * this.length);
  }

  /** Reads the velocities of the bodies: [length][2] (unit: length per second). A view like that of `readPositions`. */
  readVelocities(): Float32Array {
    check(engine().world_velocities(this.world.handle, this.#held(this.#ids), this.length, this.#values));
    return floatsAt(this.#values, 2 * this.length);
  }

  /** Moves all bodies: positions [length][2]. */
  move(positions: ArrayLike<number>): void {
    expectCount('positions', positions, 2 * this.length);
    floatsAt(this.#held(this.#values), 2 * this.length).set(positions);
    check(engine().world_move_all(this.world.handle, this.#ids, this.length, this.#values));
  }

  /** Sets the velocities of all bodies: [length][2] (unit: length per second); refused if one of them is static. */
  setVelocities(velocities: ArrayLike<number>): void {
    expectCount('velocities', velocities, 2 * this.length);
    floatsAt(this.#held(this.#values), 2 * this.length).set(velocities);
    check(engine().world_set_velocities(this.world.handle, this.#ids, this.length, this.#values));
  }

  /** Removes all bodies, and frees the list's memory. */
  remove(): void {
    check(engine().world_remove(this.world.handle, this.#held(this.#ids), this.length));
    this.release();
  }

  /** Returns an address in the list's memory; throws once that is released. */
  #held(at: number): number {
    this.expectHeld('list');
    return at;
  }
}

refuseWrongTypes(BodyList);
