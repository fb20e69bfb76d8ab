import assert from 'node:assert/strict';
import { type Browser, chromium } from 'playwright-core';
import { composeMail } from '../../src/alerts/mail/mail-message.ts';
import { EXTERNAL_URL, floodMessage, messageSaying } from '../support/alert-messages.ts';
import { ARGUMENTS, chromiumPath } from '../support/browser.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import type { AlertMessage } from '../../src/domain/alerts/alert-message.ts';

function htmlOf(message: AlertMessage): string {
  const to = { to: ['ada@example.com'], unsubscribeUrl: `${EXTERNAL_URL}/-/alerts/unsubscribe?token=7.x` };
  return composeMail(message, to, { domain: 'errors.example.com' }).html;
}

const executablePath = chromiumPath();

describe('an alert mail in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;

  before(async function () {
    if (executablePath === null) {
      console.log('      an alert mail: skipped, there is no Chromium; install it or set ERRGATE_TEST_CHROMIUM');
      this.skip();
    }
    browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  });
  after(async () => {
    if (executablePath !== null) await browser.close();
  });

  it('runs, loads and links nothing of strangers', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    await page.route('**', (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    for (const text of HOSTILE_TEXTS) {
      await page.setContent(htmlOf(messageSaying(text)));
      const seen = await page.evaluate(() => ({
        owned: Reflect.get(window, '__owned') as unknown,
        links: [...document.querySelectorAll('[href], [src]')].map((at) => at.getAttribute('href') ?? at.outerHTML),
        active: document.querySelectorAll('script, iframe, img, svg, form, object, link').length,
      }));
      assert.deepEqual([seen.owned, seen.active], [undefined, 0], text);
      for (const link of seen.links) assert.ok(link.startsWith(`${EXTERNAL_URL}/`), `${text}: ${link}`);
    }
    assert.deepEqual(asked, []);
    await page.close();
  });

  it('fits on a phone, and is legible in dark mode', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 }, colorScheme });
      await page.setContent(htmlOf(floodMessage()));
      // The compiler of tests names functions by a helper that the page lacks.
      await page.evaluate('globalThis.__name = (made) => made');
      const { wide, contrast } = await page.evaluate(() => {
        const light = (colour: string): number => {
          const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
          const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
        };
        const ground = (at: Element | null): string => {
          for (let one = at; one !== null; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return colour;
          }
          return 'rgb(255, 255, 255)';
        };
        const ratios = [...document.querySelectorAll('h1, p, a, div')].map((at) => {
          const [a, b] = [light(getComputedStyle(at).color), light(ground(at))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        });
        return { wide: document.documentElement.scrollWidth, contrast: Math.min(...ratios) };
      });
      assert.ok(wide <= 360, `${colorScheme}: ${wide} pixels`);
      assert.ok(contrast >= 4.5, `${colorScheme}: contrast ${contrast}`);
      await page.close();
    }
  });
});
