import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, shoot } from '../support/browser.ts';
import { itInFullRun } from '../support/full-run.ts';

/** Least contrast at which the lines are made out on a bad screen. */
const LEAST = 1.3;

/** The colours that the page means by these names, as the browser tells them. */
async function coloursOf(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (wanted) =>
      wanted.map((name) => {
        const probe = document.createElement('i');
        probe.style.color = `var(--${name})`;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }),
    names,
  );
}

function light(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
}

/** What an element is painted with, and how much of it all around it lets through. */
async function paintOf(line: Locator): Promise<{ paint: string; opacity: number }> {
  return line.evaluate((element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    let opacity = 1;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
    }
    return { paint: `${backgroundColor} ${backgroundImage}`, opacity };
  });
}

describeInBrowser('placeholders of content that loads', (world) => {
  const pages = {
    list: { path: () => world().list, line: 'tr.skeleton .line' },
    details: { path: () => `${world().list}/1/details`, line: '.page-skeleton .line' },
    start: { path: () => '/', line: '.card .skeleton' },
  };
  for (const [name, { path, line }] of Object.entries(pages)) {
    for (const dark of [false, true]) {
      itInFullRun(`have enough contrast: ${name}, ${dark ? 'dark' : 'light'}`, async () => {
        const page = await world().page({ dark });
        await page.route(/\/api\/v4\//, () => undefined);
        await page.goto(path());
        await page.locator(line).first().waitFor();
        const [colour = '', ...grounds] = await coloursOf(page, ['skeleton', 'surface', 'bg']);
        for (const ground of grounds) {
          const ratio = light(colour) / light(ground);
          assert.ok(Math.max(ratio, 1 / ratio) >= LEAST, `${colour} on ${ground}`);
        }
        const { paint, opacity } = await paintOf(page.locator(line).first());
        assert.ok(paint.includes(colour), paint);
        assert.equal(opacity, 1);
        await shoot(page, `placeholders/${name}-${dark ? 'dark' : 'light'}`);
      });
    }
  }
});
