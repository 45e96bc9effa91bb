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
  /** The module has no memory left, or an internal error. It must be loaded again. */
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

/** Returns the index of a name in a list; throws `invalid_argument` if it is not there. */
export function placeOf<T extends string>(names: readonly T[], name: T, what: string): number {
  const place = names.indexOf(name);
  if (place < 0) {
    throw new BroadsideError('invalid_argument', `"${name}" is no ${what}: ${names.join(', ')}`);
  }
  return place;
}
