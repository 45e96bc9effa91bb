import type { Point } from 'broadside';
import p2 from 'p2';
import { random } from '../shared/random';
import { BroadPhases } from './broad_phases';
import {
  ballRadius,
  flipper,
  kinds,
  laneLeft,
  leftPivot,
  makeTable,
  mirrored,
  start,
  table,
  type Kind,
  type Piece,
} from './table';

export interface Keys {
  readonly left: boolean;
  readonly right: boolean;
  readonly launch: boolean;
}

export interface Flipper {
  readonly side: 'left' | 'right';
  readonly pivot: Point;
  readonly body: p2.Body;
}

export interface Ball {
  readonly body: p2.Body;
  still: number; // steps without motion
}

/** A ring that shows a recent hit. */
export interface Ripple {
  readonly at: Point;
  readonly kind: Kind;
  age: number; // (unit: step)
}

export const rippleSteps = 30;

const substeps = 5; // a ball at full speed moves by less than its radius in each
const stepSeconds = 1 / 60 / substeps;
const gravity = 90; // down a table inclined by 6.5 degrees (unit: half an inch per second²)
const fastest = 210;
const flipSpeed = 14; // (unit: radian per second)
const ballGroup = 1;
const tableGroup = 2;
const points: Readonly<Record<Kind, number>> = { wall: 0, pin: 5, sling: 10, target: 50, bumper: 100 };
const kicks: Readonly<Partial<Record<Kind, number>>> = { sling: 65, bumper: 80 };
const restitution: Readonly<Record<Kind, number>> = { wall: 0.3, pin: 0.5, target: 0.4, sling: 0.5, bumper: 0.5 };

/** A game of pinball in p2: balls meet the table, the flippers and each other; no other pairs meet. */
export class Game {
  readonly pieces: readonly Piece[];
  /** [pieces]: 255 for pieces hit now, fading to 0. */
  readonly glow: Uint8Array;
  readonly balls: Ball[] = [];
  readonly flippers: readonly Flipper[];
  readonly broadPhases = new BroadPhases();
  ripples: Ripple[] = [];
  score = 0;
  lost = 0;
  steps = 0;
  readonly #world = new p2.World({ gravity: [0, gravity], broadphase: this.broadPhases });
  readonly #pieceOf = new Map<p2.Body, number>();
  readonly #ballMaterial = new p2.Material(1);
  readonly #next: () => number;
  #hits: { readonly ball: p2.Body; readonly piece: number }[] = [];

  constructor(
    shapes: number,
    public ballCount: number,
    seed: number,
  ) {
    this.#next = random(seed);
    this.pieces = makeTable(shapes);
    this.glow = new Uint8Array(shapes);
    this.#world.defaultContactMaterial.friction = 0;
    const materials = new Map(kinds.map((kind) => [kind, this.#bouncy(restitution[kind])]));
    this.pieces.forEach((piece, i) => this.#pieceOf.set(this.#addPiece(piece, materials.get(piece.kind)!), i));
    const rubber = this.#bouncy(0.35);
    this.flippers = (['left', 'right'] as const).map((side) => this.#addFlipper(side, rubber));
    this.#world.on('beginContact', ({ bodyA, bodyB }: { bodyA: p2.Body; bodyB: p2.Body }) => {
      const piece = this.#pieceOf.get(bodyA) ?? this.#pieceOf.get(bodyB);
      if (piece !== undefined) {
        this.#hits.push({ ball: this.#pieceOf.has(bodyA) ? bodyB : bodyA, piece });
      }
    });
  }

  /** Returns the pieces whose boxes touched the box of a ball in the last step. */
  candidates(): Piece[] {
    return this.broadPhases.result.flatMap((body) => this.pieces[this.#pieceOf.get(body) ?? -1] ?? []);
  }

  /** Advances the game by a sixtieth of a second. */
  step(keys: Keys): void {
    ++this.steps;
    this.glow.forEach((now, i) => (this.glow[i] = Math.max(0, now - 12)));
    this.ripples = this.ripples.filter((ripple) => ++ripple.age < rippleSteps);
    this.#feed(keys.launch);
    for (let i = 0; i < substeps; ++i) {
      this.flippers.forEach((one) => turn(one, keys[one.side]));
      this.#world.step(stepSeconds);
      this.#hits.forEach(({ ball, piece }) => this.#hit(ball, piece));
      this.#hits = [];
      this.balls.forEach(({ body }) => limit(body));
    }
    this.#drain();
    this.#nudge();
  }

  /** Adds a ball to the launch lane if none waits there, and launches the waiting one. */
  #feed(launch: boolean): void {
    const isWaiting = ({ body }: Ball) => body.position[0]! > laneLeft && body.position[1]! > 84;
    if (this.balls.length < this.ballCount && !this.balls.some(isWaiting)) {
      const body = new p2.Body({ mass: 1, position: [start.x, start.y], damping: 0.03, fixedRotation: true });
      this.#addShape(body, new p2.Circle({ radius: ballRadius }), this.#ballMaterial);
      this.#world.addBody(body);
      this.balls.push({ body, still: 0 });
    }
    for (const { body } of launch ? this.balls.filter(isWaiting) : []) {
      if (Math.abs(body.velocity[1]!) < 5) {
        body.velocity[1] = -(133 + 30 * this.#next());
      }
    }
  }

  #drain(): void {
    for (let i = this.balls.length - 1; i >= 0; --i) {
      const { body } = this.balls[i]!;
      const gone = body.position[1]! > table.max.y + 4;
      if (gone || i >= this.ballCount) {
        this.#world.removeBody(body);
        this.balls.splice(i, 1);
        this.lost += gone ? 1 : 0;
      }
    }
  }

  /** Nudges balls that lie still on the table, as a player would. */
  #nudge(): void {
    for (const ball of this.balls) {
      const [x = 0, y = 0] = ball.body.velocity;
      ball.still = Math.hypot(x, y) < 2 && ball.body.position[0]! < laneLeft ? ball.still + 1 : 0;
      if (ball.still > 60) {
        ball.body.velocity[0] = 40 * (this.#next() - 0.5);
        ball.body.velocity[1] = -20;
      }
    }
  }

  #hit(ball: p2.Body, index: number): void {
    const { kind, a, b } = this.pieces[index]!;
    this.glow[index] = 255;
    this.score += points[kind];
    const kick = kicks[kind];
    if (kick === undefined) {
      return;
    }
    const [x = 0, y = 0] = ball.position;
    const along = { x: b.x - a.x, y: b.y - a.y };
    const square = along.x ** 2 + along.y ** 2;
    const part = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - a.x) * along.x + (y - a.y) * along.y) / square));
    const at = { x: a.x + along.x * part, y: a.y + along.y * part };
    const away = Math.hypot(x - at.x, y - at.y) || 1;
    const normal = { x: (x - at.x) / away, y: (y - at.y) / away };
    const speed = ball.velocity[0]! * normal.x + ball.velocity[1]! * normal.y;
    const push = Math.max(0, kick - speed);
    ball.velocity[0]! += push * normal.x;
    ball.velocity[1]! += push * normal.y;
    this.ripples.push({ at, kind, age: 0 });
  }

  /** Returns a material with this restitution against balls. */
  #bouncy(bounce: number): p2.Material {
    const material = new p2.Material(this.#world.contactMaterials.length + 2);
    const contact = new p2.ContactMaterial(this.#ballMaterial, material, { friction: 0, restitution: bounce });
    this.#world.addContactMaterial(contact);
    return material;
  }

  #addShape(body: p2.Body, shape: p2.Shape, material: p2.Material, offset: [number, number] = [0, 0]): void {
    const isBall = material === this.#ballMaterial;
    shape.material = material;
    shape.collisionGroup = isBall ? ballGroup : tableGroup;
    shape.collisionMask = isBall ? ballGroup | tableGroup : ballGroup;
    body.addShape(shape, offset);
  }

  #addPiece({ a, b, radius }: Piece, material: p2.Material): p2.Body {
    const body = new p2.Body({
      position: [(a.x + b.x) / 2, (a.y + b.y) / 2],
      angle: Math.atan2(b.y - a.y, b.x - a.x),
    });
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    this.#addShape(body, length === 0 ? new p2.Circle({ radius }) : new p2.Capsule({ length, radius }), material);
    this.#world.addBody(body);
    return body;
  }

  #addFlipper(side: Flipper['side'], material: p2.Material): Flipper {
    const pivot = side === 'left' ? leftPivot : mirrored(leftPivot);
    const sign = side === 'left' ? 1 : -1;
    const { length, radius, rest } = flipper;
    const body = new p2.Body({ type: p2.Body.KINEMATIC, position: [pivot.x, pivot.y], angle: sign * rest });
    this.#addShape(body, new p2.Capsule({ length, radius }), material, [(sign * length) / 2, 0]);
    this.#world.addBody(body);
    return { side, pivot, body };
  }
}

/** Turns a flipper up or down, within its limits. */
function turn({ side, body }: Flipper, up: boolean): void {
  const goal = (side === 'left' ? 1 : -1) * (up ? flipper.up : flipper.rest);
  const speed = (goal - body.angle) / stepSeconds;
  body.angularVelocity = Math.min(flipSpeed, Math.max(-flipSpeed, speed));
}

/** Limits the speed, so that no ball tunnels through a wall between two steps. */
function limit({ velocity }: p2.Body): void {
  const speed = Math.hypot(velocity[0]!, velocity[1]!);
  if (speed > fastest) {
    velocity[0]! *= fastest / speed;
    velocity[1]! *= fastest / speed;
  }
}
