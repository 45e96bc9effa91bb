/** The kind of an error: the codes of the library, and two of the package. */
export type ErrorCode =
  | 'invalid_argument'
  | 'not_finite'
  | 'inverted_box'
  | 'stale_id'
  | 'wrong_world'
  | 'locked'
  | 'too_many_pairs'
  | 'too_large'
  | 'parse'
  | 'version_mismatch'
  /** The module is still being loaded: `await ready` first. */
  | 'not_ready'
  /** The module failed, mostly because it had no memory left. From then on each call fails: load the page again. */
  | 'broken';

/** An error with a sentence of the library that says what was wrong, and where. */
export class BroadsideError extends Error {
  /** Always 'BroadsideError'. */
  override readonly name = 'BroadsideError';

  constructor(
    /** The kind of the error. */
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Returns an error of the code `invalid_argument`. */
export function invalid(message: string): BroadsideError {
  return new BroadsideError('invalid_argument', message);
}

/** Throws `invalid_argument` unless there are as many numbers as wanted. */
export function expectCount(what: string, numbers: ArrayLike<number>, wanted: number): void {
  if (numbers.length !== wanted) {
    throw invalid(`${what} must be ${wanted} numbers, not ${numbers.length}`);
  }
}

/** Throws `invalid_argument` unless a value is a function. */
export function expectFunction(what: string, value: unknown): void {
  if (typeof value !== 'function') {
    throw invalid(`the ${what} must be a function`);
  }
}

/** Returns the index of a name in a list; throws `invalid_argument` if it is not there. */
export function placeOf<T extends string>(names: readonly T[], name: T, what: string): number {
  const place = names.indexOf(name);
  if (place < 0) {
    throw invalid(`"${name}" is no ${what}: ${names.join(', ')}`);
  }
  return place;
}
