import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks, becomePhone } from '../support/browser-looks.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Adds content to the page of signing in, with a style sheet, which the page's policy allows to scripts alone. */
async function given(page: Page, html: string, style = ''): Promise<void> {
  await page.goto('/users/sign_in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(
    ([content, rules]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      document.querySelector('main')?.insertAdjacentHTML('beforeend', content);
    },
    [html, style] as const,
  );
}

const TEXT = '<p class="probe">Some text</p>';

describeInBrowser('the checks of pages', (world) => {
  const open = () => world().page({ stranger: true });

  it('find weak contrast in one theme, and leave the page as it was', async () => {
    const page = await open();
    await given(page, TEXT, '@media (prefers-color-scheme: dark) { .probe { color: #777; background: #888; } }');
    const window = () =>
      page.evaluate(() => [
        innerWidth,
        innerHeight,
        ...['(prefers-color-scheme: light)', '(hover: hover)', '(pointer: fine)'].map((one) => matchMedia(one).matches),
      ]);
    const before = await window();
    await assertAccessible(page, true);
    await assert.rejects(assertLooks(page, 'probe'), /color-contrast/);
    assert.deepEqual(await window(), before);
  });

  it('find what is too wide for a phone', async () => {
    const page = await open();
    await given(page, TEXT, '@media (max-width: 400px) { .probe { width: 500px; } }');
    await assert.rejects(assertLooks(page, 'probe'), /probe-(?:light|dark)-phone is \d+ px too wide/);
  });

  it('take pictures that have the width of a phone, which the page keeps', async () => {
    const page = await open();
    await given(page, TEXT, '.probe { height: 1000px; }');
    const phone = await becomePhone(page);
    for (const fullPage of [false, true, false]) {
      const picture = await phone.take(fullPage);
      // The head of a PNG has its size.
      const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
      assert.deepEqual([width, height > 1000], [390, fullPage]);
      assert.equal(await page.evaluate('document.documentElement.clientWidth'), 390);
    }
    await phone.end();
  });

  it('find a fault of rows that repeat, and the row that differs', async () => {
    const rows = (first: string, last: string) => `<div>${first}${'<button>Open</button>'.repeat(5)}${last}</div>`;
    const page = await open();
    await given(page, rows('', ''));
    await assertAccessible(page);
    await given(page, rows('', '<button></button>'));
    await assert.rejects(assertAccessible(page), /button-name/);
    await given(page, '<div><button></button></div>'.repeat(5));
    await assert.rejects(assertAccessible(page), /button-name/);
  });

  it('find a fault in parts that were checked before, as soon as it is there', async () => {
    const page = await open();
    const label = '<label for="probe-field">Field</label>';
    const part = (attribute: string, more: string) =>
      `<form class="probe"><div ${attribute}><button></button></div>${more}<input id="probe-field"></form>`;
    await given(page, part('hidden', label));
    await assertAccessible(page);
    await page.evaluate("document.querySelector('.probe label').remove()");
    await assert.rejects(assertAccessible(page), /label: /);
    await given(page, part('hidden', label));
    await assertAccessible(page);
    await page.evaluate("document.querySelector('.probe div').hidden = false");
    await assert.rejects(assertAccessible(page), /button-name/);
    await given(page, part('hidden', label), '.probe-shown [hidden] { display: block; }');
    await page.evaluate("document.querySelector('.probe').classList.add('probe-shown')");
    await assert.rejects(assertAccessible(page), /button-name/);
  });
});
