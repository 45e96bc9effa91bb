import { answerWith, output } from './engine.js';
import { ofCallback } from './refusing.js';

// The module identifies callbacks by numbers. An exception of a callback must not pass through the module, whose world
// would stay locked: it is caught, and thrown again when the call that caused it has returned.

type Callback = () => void;

/** The listeners of a world, by number. */
export type Listeners = Map<number, Callback>;

/** What a world asks for each pair. */
export interface Predicate {
  ask(a: number, aGeneration: number, b: number, bGeneration: number): boolean;
}

// Callbacks are kept by their worlds, which they mostly refer to: whatever is kept here is never collected.
const listeners = new Map<number, WeakRef<Listeners>>();
const predicates = new Map<number, WeakRef<Predicate>>();
const visitors: ((numbers: readonly number[]) => boolean)[] = [];
const deciders: ((numbers: readonly number[]) => number)[] = [];
const noMeeting = 255; // makes the module refuse the call
let lastListener = 0;
let thrown: unknown[] = [];
let depth = 0; // nesting of calls that may call back

function guarded<T>(otherwise: T, call: () => T): T {
  if (thrown.length > 0) {
    return otherwise;
  }
  try {
    return call();
  } catch (error) {
    thrown.push(error);
    return otherwise;
  }
}

function tell(listener: number): void {
  guarded(undefined, () => listeners.get(listener)?.deref()?.get(listener)?.());
}

answerWith({
  report_contact: tell,
  report_end: tell,
  pair_asked: (world, ...pair) => (guarded(true, () => predicates.get(world)?.deref()?.ask(...pair) ?? true) ? 1 : 0),
  found: () => {
    const numbers = output();
    return guarded(false, () => visitors.at(-1)?.(numbers) ?? false) ? 1 : 0;
  },
  respond_to_obstacle: () => {
    const numbers = output();
    return guarded(noMeeting, () => deciders.at(-1)?.(numbers) ?? noMeeting);
  },
});

/** Runs a call that may call back, then throws the first exception of a callback: it may be why the call failed. */
export function calling<T>(call: () => T): T {
  const before = thrown;
  const thrownHere: unknown[] = [];
  thrown = thrownHere;
  ++depth;
  let outcome: { result: T } | { error: unknown };
  try {
    outcome = { result: call() };
  } catch (error) {
    outcome = { error };
  }
  --depth;
  thrown = before;
  if (thrownHere.length > 0) {
    throw ofCallback(thrownHere[0]);
  }
  if ('error' in outcome) {
    throw outcome.error;
  }
  return outcome.result;
}

/** Tells whether a call that may call back is running. */
export function isCalling(): boolean {
  return depth > 0;
}

/** Registers a listener of a world; returns the number by which the module identifies it. */
export function listen(all: Listeners, callback: Callback): number {
  all.set(++lastListener, callback);
  listeners.set(lastListener, new WeakRef(all));
  return lastListener;
}

export function unlisten(listener: number): void {
  listeners.delete(listener);
}

export function setPredicate(world: number, predicate: Predicate | undefined): void {
  if (predicate === undefined) {
    predicates.delete(world);
  } else {
    predicates.set(world, new WeakRef(predicate));
  }
}

/** Runs a query that calls `visit` for each result. */
export function visiting<T>(visit: (numbers: readonly number[]) => boolean, call: () => T): T {
  visitors.push(visit);
  try {
    return calling(call);
  } finally {
    visitors.pop();
  }
}

/** Runs a call that calls `decide` for each obstacle. */
export function deciding<T>(decide: (numbers: readonly number[]) => number, call: () => T): T {
  deciders.push(decide);
  try {
    return calling(call);
  } finally {
    deciders.pop();
  }
}
