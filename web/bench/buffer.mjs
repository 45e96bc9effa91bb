// Stub of Node's Buffer for browsers: the only function that typedarray-pool, which box-intersect uses, calls.
export const Buffer = { isBuffer: () => false };
