import { BroadsideBroadphase } from 'broadside/p2';
import p2 from 'p2';

export const phaseNames = ['sweep', 'naive', 'broadside'] as const;
export type PhaseName = (typeof phaseNames)[number];

export const phaseTitles: Readonly<Record<PhaseName, string>> = {
  sweep: 'p2’s sweep and prune',
  naive: 'p2’s naive broad phase',
  broadside: 'broadside',
};

/** Returns pairs in the order of p2's `NaiveBroadphase`, by the ids of bodies, which are in the order of the world. */
function inOrder(found: readonly p2.Body[]): p2.Body[] {
  const pairs: [later: p2.Body, earlier: p2.Body][] = [];
  for (let i = 0; i < found.length; i += 2) {
    const [a, b] = [found[i]!, found[i + 1]!];
    pairs.push(a.id > b.id ? [a, b] : [b, a]);
  }
  return pairs.sort(([a, b], [c, d]) => a.id - c.id || b.id - d.id).flat();
}

/**
 * Several broad phases in one world of p2. The active one may change from step to step, and its time is measured. p2
 * solves contacts in the order in which they are found; so all pairs are sorted into one order, untimed, and the game
 * is the same with each broad phase.
 */
export class BroadPhases extends p2.Broadphase {
  chosen: PhaseName = 'broadside';
  /** Time spent since it was set to 0. */
  ms = 0;
  readonly #all: Readonly<Record<PhaseName, p2.Broadphase>> = {
    sweep: new p2.SAPBroadphase(p2.Broadphase.SAP),
    naive: new p2.NaiveBroadphase(p2.Broadphase.NAIVE),
    broadside: new BroadsideBroadphase(),
  };

  constructor() {
    super(p2.Broadphase.NAIVE);
  }

  override setWorld(world: p2.World): void {
    super.setWorld(world);
    for (const name of phaseNames) {
      this.#all[name].setWorld(world);
    }
  }

  override getCollisionPairs(world: p2.World): p2.Body[] {
    const started = performance.now();
    const found = this.#all[this.chosen].getCollisionPairs(world);
    this.ms += performance.now() - started;
    this.result = inOrder(found);
    return this.result;
  }
}
