import { expect } from 'vitest';
import { BroadsideError } from '../dist/index.js';

/** Returns the error that a call throws, which must be one of the library's. */
export function errorOf(call: () => unknown): BroadsideError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(BroadsideError);
    expect(error).toBeInstanceOf(Error);
    return error as BroadsideError;
  }
  throw new Error('nothing was thrown');
}
