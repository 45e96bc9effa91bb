import { invalid } from './errors.js';

/** Exceptions of callbacks, which are the caller's own. */
const ofCallbacks = new WeakSet<object>();

/** Marks an exception of a callback: it passes through `refusing` as it is. Returns it. */
export function ofCallback(error: unknown): unknown {
  if (error instanceof Error) {
    ofCallbacks.add(error);
  }
  return error;
}

/** Runs a call; throws `invalid_argument` instead of the `TypeError` with which JavaScript answers a wrong type. */
export function refusing<T>(name: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof TypeError && !ofCallbacks.has(error) ? invalid(`${name}: ${error.message}`) : error;
  }
}

/**
 * Makes the methods and setters of a class refuse wrong types as `refusing` does. `internal` are methods that only the
 * package calls.
 */
export function refuseWrongTypes({ prototype }: { prototype: object }, ...internal: string[]): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || internal.includes(name)) {
      continue;
    }
    const refusingLike = <T extends (...all: never[]) => unknown>(method: T): T =>
      function (this: unknown, ...all: never[]) {
        return refusing(name, () => method.apply(this, all));
      } as T;
    if (typeof property.value === 'function') {
      property.value = refusingLike(property.value as () => unknown);
    }
    if (property.set !== undefined) {
      property.set = refusingLike(property.set);
    }
    Object.defineProperty(prototype, name, property);
  }
}
