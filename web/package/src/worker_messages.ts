// What a page and the worker with its world say to each other.
import type { BodyOptions } from './body.js';
import type { ErrorCode } from './errors.js';
import type { CirclesOptions, WorldOptions } from './world_options.js';

/** A worker, or one end of a `MessageChannel`. */
export interface Port {
  /** Sends a message. */
  postMessage(message: unknown, transfer: Transferable[]): void;
  /** Is called with each message. */
  onmessage: ((event: MessageEvent) => void) | null;
}

/** A change of the world. Bodies are named by their numbers: `first` is that of the first body added. */
export type Change =
  | readonly ['add', first: number, bodies: readonly BodyOptions[]]
  | readonly ['circles', first: number, circles: CirclesOptions]
  | readonly ['remove', numbers: Uint32Array]
  | readonly ['move', numbers: Uint32Array, positions: Float32Array]
  | readonly ['velocities', numbers: Uint32Array, velocities: Float32Array];

/** What to do after the changes. */
export type Question =
  | readonly ['start', options: WorldOptions, isShared: boolean | undefined]
  | readonly ['step', seconds: number]
  | readonly ['rays', rays: Float32Array]
  | readonly ['areas', areas: Float32Array];

export interface Request {
  readonly changes: readonly Change[];
  readonly question: Question;
  /** Memory of an earlier step, to be used again. */
  readonly buffer?: ArrayBufferLike | undefined;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The answer to a request; the requests are answered in their order. */
export interface Reply {
  /** The changes that were refused. */
  readonly refused: readonly Refusal[];
  /** Why there is no answer. */
  readonly error?: Refusal;
  /** Of a step: its arrays one after the other. */
  readonly buffer?: ArrayBufferLike;
  /** Of a step: how many bodies, contacts that began, and contacts that ended. */
  readonly counts?: readonly [bodies: number, begun: number, ended: number];
  /** Of a query: its arrays. */
  readonly arrays?: readonly (Uint32Array | Float32Array)[];
}
