/** What kind of thing went wrong; the library's own codes, and two of the package's. */
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
  /** The module has no memory left, or ran into an error of its own. It must be loaded anew. */
  | 'broken';

/** An error with the sentence of the library: what was wrong, and where. */
export class BroadsideError extends Error {
  /** Always this. */
  override readonly name = 'BroadsideError';

  constructor(
    /** What kind of thing went wrong. */
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Returns where a name is in a list of them; throws `invalid_argument` if it is not there. */
export function placeOf<T extends string>(names: readonly T[], name: T, what: string): number {
  const place = names.indexOf(name);
  if (place < 0) {
    throw new BroadsideError('invalid_argument', `"${name}" is no ${what}: ${names.join(', ')}`);
  }
  return place;
}
