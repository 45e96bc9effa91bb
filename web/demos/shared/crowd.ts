import { World, type Body, type BodyList, type TechniqueName } from 'broadside';
import { placeCircles, type Placing } from './placing';
import { addWalls } from './walls';

/** Options of a `Crowd`. */
export interface CrowdOptions extends Placing {
  /** Whether the world lets them bounce off each other; otherwise they pass through each other. */
  readonly bounce: boolean;
  readonly technique: TechniqueName;
}

/** Runs a stage; callers replace it to measure times. */
type Run = (name: 'detect' | 'bounce' | 'move' | 'light', stage: () => void) => void;

const wallCount = 4; // added first, so the circles' indices begin there
const afterglow = 64;

/** Lowers values above 64 to 64, and other values by 6 down to 0. */
export function fade(glow: Uint8Array): void {
  for (let i = 0; i < glow.length; ++i) {
    const now = glow[i] as number;
    glow[i] = now > afterglow ? afterglow : now > 6 ? now - 6 : 0;
  }
}

/** Circles that move between four walls and light up where they touch. */
export class Crowd {
  readonly world: World;
  readonly length: number;
  readonly radii: Float32Array;
  /** [length]: 255 for circles that touched in the last step, then from 64 down to 0. */
  readonly glow: Uint8Array;
  /** The number of pairs of circles that touched in the last step. */
  touching = 0;
  readonly #list: BodyList;
  readonly #positions: Float32Array; // up to date only without bouncing
  readonly #velocities: Float32Array;

  constructor(readonly options: CrowdOptions) {
    const { count, width, height, bounce, technique } = options;
    const { positions, velocities, radii } = placeCircles(options);
    this.length = count;
    this.radii = radii;
    this.glow = new Uint8Array(count);
    this.#positions = positions;
    this.#velocities = velocities;
    this.world = new World({ response: bounce ? 'bounce' : 'none', technique });
    addWalls(this.world, { min: { x: 0, y: 0 }, max: { x: width, y: height } });
    this.#list = this.world.addCircles({
      positions: this.#positions,
      radii: this.radii,
      ...(bounce && { velocities: this.#velocities }),
    });
  }

  /** Returns the positions [length][2]. With `bounce` a view, valid until the next call of the package. */
  positions(): Float32Array {
    return this.options.bounce ? this.#list.readPositions() : this.#positions;
  }

  /** Returns the body of a circle. */
  body(i: number): Body | undefined {
    return this.#list.at(i);
  }

  /** Returns the index of a circle's body; below 0 for a wall. */
  indexOf(body: Body): number {
    return body.index - wallCount;
  }

  step(seconds: number, run: Run = (_, stage) => stage()): void {
    const { world } = this;
    run('move', () => (this.options.bounce ? world.stage('integrate', seconds) : this.#drift(seconds)));
    run('detect', () => {
      world.stage('detect', seconds);
      world.stage('dispatch', seconds);
    });
    if (this.options.bounce) {
      run('bounce', () => world.stage('respond', seconds));
    }
    run('light', () => this.light());
  }

  /** Finds the contacts again, although nothing has moved: otherwise a world at rest makes no tests. */
  detectAgain(): void {
    const at = this.positions().slice();
    this.#list.move(at.map((x) => x + 0.01));
    this.#list.move(at);
    this.world.stage('detect');
  }

  release(): void {
    this.#list.release();
    this.world.release();
  }

  /** Moves the circles through each other; only walls reflect them. */
  #drift(seconds: number): void {
    const at = this.#positions;
    const way = this.#velocities;
    const limits = [this.options.width, this.options.height] as const;
    for (let k = 0; k < at.length; ++k) {
      const radius = this.radii[k >> 1] as number;
      const far = (limits[k & 1] as number) - radius;
      let place = (at[k] as number) + (way[k] as number) * seconds;
      if (place < radius || place > far) {
        place = place < radius ? radius : far;
        way[k] = -(way[k] as number);
      }
      at[k] = place;
    }
    this.#list.move(at);
  }

  /** Lights the circles that touched in the last step. */
  light(): void {
    const { glow } = this;
    fade(glow);
    this.touching = 0;
    const pairs = this.world.readContacts().bodies;
    for (let p = 0; p < pairs.length; p += 4) {
      const a = (pairs[p] as number) - wallCount;
      const b = (pairs[p + 2] as number) - wallCount;
      if (a >= 0 && b >= 0) {
        glow[a] = 255;
        glow[b] = 255;
        ++this.touching;
      }
    }
  }
}
