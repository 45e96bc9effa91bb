import { expect, it } from 'vitest';
import { visit } from './visit';

it('gives JavaScript and wasm the same circles and the same time', async () => {
  const page = await visit('circles/?paused=1');
  const contacts = await page.until('wasm-contacts', (value) => value > 0);
  // The world also counts contacts with walls, the JavaScript version does not.
  const plain = await page.number('js-contacts');
  expect(contacts).toBeGreaterThanOrEqual(plain);
  expect(contacts - plain).toBeLessThan(contacts * 0.1);
  await page.page.keyboard.press('Space');
  await page.until('wasm-steps', (steps) => steps >= 1);
  await page.page.waitForTimeout(1500);
  await page.picture();
  // Both move touching circles apart, so only few touch after the first steps.
  expect(await page.number('js-contacts')).toBeLessThan(plain / 4);
  expect(await page.number('wasm-contacts')).toBeLessThan(plain / 4);
  const wasm = await page.number('wasm-ms');
  expect(wasm).toBeGreaterThan(0);
  await page.page.locator('.lil-controller select').selectOption('brute force');
  await page.page.waitForTimeout(800);
  expect(await page.number('js-ms')).toBeGreaterThan(await page.number('wasm-ms'));
  await page.pictureOfCharts();
  await page.leave();
});
