// What typedarray-pool, which box-intersect uses, asks of Node's Buffer, where there is none.
export const Buffer = { isBuffer: () => false };
