import { expect, it } from 'vitest';
import { MovingAverage } from '../shared/moving_average';
import { random } from '../shared/random';

it('begins with the first value, and stays between the smallest and the largest', () => {
  const next = random(5);
  const average = new MovingAverage();
  for (let round = 0; round < 200; ++round) {
    expect(average.value).toBe(0);
    const size = 10 ** (6 * next() - 3);
    const values = Array.from({ length: 1 + Math.floor(20 * next()) }, () => size * next());
    values.forEach((value, i) => {
      average.add(value);
      const known = values.slice(0, i + 1);
      if (i === 0) {
        expect(average.value).toBe(value);
      }
      expect(average.value).toBeGreaterThanOrEqual(Math.min(...known) * (1 - 1e-12));
      expect(average.value).toBeLessThanOrEqual(Math.max(...known) * (1 + 1e-12));
    });
    average.forget();
  }
});
