/** Returns a generator of numbers in [0, 1), the same for the same seed. Source: G. Marsaglia, Xorshift RNGs, 2003. */
export function random(seed: number): () => number {
  let state = Math.imul(seed, 2654435761) | 0 || 1; // otherwise neighbouring seeds would begin with similar numbers
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
