import type { Game, Keys } from './game';
import { flipper, leftPivot, mirrored } from './table';

const hold = 9; // steps that a flipper stays up, and then rests

/** Plays without a player: flips when a ball is at the outer half of a flipper, launches waiting balls. */
export class Robot {
  readonly #since = { left: -Infinity, right: -Infinity };

  keys(game: Game): Keys {
    const pressed = { left: false, right: false };
    for (const side of ['left', 'right'] as const) {
      const passed = game.steps - this.#since[side];
      if (passed > 2 * hold && game.balls.some(({ body }) => this.#near(side, body.position[0]!, body.position[1]!))) {
        this.#since[side] = game.steps;
      }
      pressed[side] = game.steps - this.#since[side] < hold;
    }
    return { ...pressed, launch: true };
  }

  #near(side: 'left' | 'right', x: number, y: number): boolean {
    const at = side === 'left' ? { x, y } : mirrored({ x, y });
    const along = at.x - leftPivot.x;
    const above = leftPivot.y + along * Math.tan(flipper.rest) - at.y;
    return along > 0.45 * flipper.length && along < flipper.length && above > 0 && above < 4;
  }
}
