// Films the first page as docs/pictures/pages.gif: `npm run capture -w demos`, after a build.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import gifenc from 'gifenc';
import { preview } from 'vite';
import { launch, withWebGl } from '../../tools/browser.mjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;
const root = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../../docs/pictures/pages.gif', import.meta.url));
const [width, height, frames, stepsPerFrame] = [960, 540, 20, 3];
const clear = 31; // the colour of what is as it was in the frame before

/** Returns the pixels of what the page shows now: red, green, blue, opacity. */
async function pixels(page) {
  const picture = (await page.screenshot()).toString('base64');
  const raw = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let i = 0; i < data.length; i += 8192) {
      text += String.fromCharCode(...data.subarray(i, i + 8192));
    }
    return btoa(text);
  }, picture);
  return new Uint8ClampedArray(Buffer.from(raw, 'base64'));
}

const server = await preview({ root, preview: { port: 0, host: '127.0.0.1' } });
const browser = await launch(...withWebGl);
const page = await browser.newPage({ viewport: { width, height } });
await page.goto(`${server.resolvedUrls.local[0]}?count=1500&paused=1`);
await page.waitForSelector('[data-readout="contacts"]');
// The frame rate of a page that is filmed step by step says nothing, nor does what it says of being paused.
await page.addStyleTag({ content: '.said, [data-control], .readouts div:nth-child(n + 5) { display: none !important }' });

const gif = GIFEncoder();
let palette;
let before;
for (let frame = 0; frame < frames; ++frame) {
  for (let step = 0; step < stepsPerFrame; ++step) {
    await page.keyboard.press('.');
  }
  await page.waitForTimeout(250);
  const rgba = await pixels(page);
  palette ??= quantize(rgba, clear).concat([[0, 0, 0]]);
  const now = applyPalette(rgba, palette.slice(0, clear));
  const changed = before === undefined ? now : now.map((colour, i) => (colour === before[i] ? clear : colour));
  gif.writeFrame(changed, width, height, {
    delay: 50,
    dispose: 1,
    ...(frame === 0 ? { palette } : { transparent: true, transparentIndex: clear }),
  });
  before = now;
}
gif.finish();
writeFileSync(target, gif.bytes());
console.log(`${target}: ${gif.bytes().length} bytes`);
await browser.close();
await server.close();
