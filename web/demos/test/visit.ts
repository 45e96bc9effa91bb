import { appendFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

const out = fileURLToPath(new URL('../out/', import.meta.url));
mkdirSync(out, { recursive: true });

export const desktop = { viewport: { width: 1200, height: 750 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

let browser: Promise<Browser> | undefined; // one for all files; serve.ts started it and stops it

/** An open page, with helpers for tests. */
export class Visit {
  readonly #complaints: string[] = [];

  constructor(
    readonly page: Page,
    readonly name: string,
  ) {
    page.on('console', (message) => {
      // Software WebGL warns that reading pixels is slow.
      if (['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall')) {
        this.#complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (hostname !== '127.0.0.1' && !['data:', 'blob:'].includes(protocol)) {
        this.#complaints.push(`a request left this machine: ${request.url()}`);
      }
    });
  }

  /** Returns a number that the page shows. */
  async number(readout: string): Promise<number> {
    const text = await this.page.textContent(`[data-readout="${readout}"]`);
    return Number((text ?? '').replace(/[^\d.e-]/g, '') || NaN);
  }

  /** Waits until a number that the page shows satisfies a condition. */
  async until(readout: string, wanted: (value: number) => boolean): Promise<number> {
    await expect.poll(async () => wanted(await this.number(readout))).toBe(true);
    return this.number(readout);
  }

  /** Returns the number of pixels of the picture that have about this colour. */
  async pixels(colour: string): Promise<number> {
    const picture = await this.page.locator('.stage').screenshot();
    return this.page.evaluate(
      async ([bytes, wanted]) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        const parts = [1, 3, 5].map((at) => parseInt(wanted!.slice(at, at + 2), 16));
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          count += parts.every((part, k) => Math.abs(part - data[i + k]!) < 24) ? 1 : 0;
        }
        return count;
      },
      [picture.toString('base64'), colour],
    );
  }

  /** Saves a screenshot for inspection. */
  async picture(suffix = ''): Promise<void> {
    await this.page.screenshot({ path: `${out}${this.name || 'home'}${suffix}.png` });
  }

  /** Scrolls the side bar to its end, and saves a screenshot of it. */
  async pictureOfCharts(): Promise<void> {
    await this.page.evaluate(() => document.querySelector('aside')!.scrollTo(0, 1e6));
    await this.picture('-charts');
  }

  /** Records the frame times, and closes the page; fails if it has logged errors or warnings. */
  async leave(): Promise<void> {
    const fps = await this.page.textContent('[data-readout="fps"]');
    const work = await this.page.textContent('[data-readout="frame"]');
    const moving = await this.page.evaluate(() => document.documentElement.dataset['movingAfter'] ?? 'never');
    const pace = `${this.name || 'home'}: ${fps} fps, ${work} ms of work per frame, moving after ${moving} ms`;
    appendFileSync(`${out}frame_times.txt`, `${pace}\n`);
    await this.page.context().close();
    expect(this.#complaints).toEqual([]);
  }
}

/** Opens a page of the site in its own window. */
export async function visit(path: string, options: BrowserContextOptions = desktop): Promise<Visit> {
  browser ??= chromium.connect(inject('browser'));
  const context = await (await browser).newContext(options);
  const page = await context.newPage();
  const opened = new Visit(page, path.split(/[/?]/)[0] ?? '');
  await page.goto(inject('pages') + path);
  await page.waitForSelector('[data-readout="fps"]');
  return opened;
}
