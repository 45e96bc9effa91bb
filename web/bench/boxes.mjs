/** The center of box i. */
export function center(boxes, i) {
  return { x: (boxes[4 * i] + boxes[4 * i + 2]) / 2, y: (boxes[4 * i + 1] + boxes[4 * i + 3]) / 2 };
}

/** The width and the height of box i. */
export function sides(boxes, i) {
  return [boxes[4 * i + 2] - boxes[4 * i], boxes[4 * i + 3] - boxes[4 * i + 1]];
}

/** Returns whether boxes i and j share a point. */
export function overlap(boxes, i, j) {
  const [a, b] = [4 * i, 4 * j];
  return (
    boxes[a] <= boxes[b + 2] && boxes[b] <= boxes[a + 2] && boxes[a + 1] <= boxes[b + 3] && boxes[b + 1] <= boxes[a + 3]
  );
}
