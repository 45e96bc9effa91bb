import { findPairs, ready } from 'broadside/inline';

await ready;

/** `findPairs` of the entry that carries its module inside, for its start-up. */
export function findPairsInline() {
  let corners;
  let pairs;
  return {
    write: (boxes) => (corners = boxes),
    find: () => (pairs = findPairs(corners)),
    pairs: () => pairs,
  };
}
