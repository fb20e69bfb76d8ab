import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/**
 * Fails if the page scrolls sideways, and names elements that are too wide. Compares with `clientWidth`: on a phone
 * `innerWidth` grows with the content. `what` names the page in the message.
 */
export async function assertFits(page: Page, what = ''): Promise<void> {
  const { over, wide } = await page.evaluate(() => {
    const root = document.documentElement;
    const over = root.scrollWidth - root.clientWidth;
    if (over <= 0) return { over, wide: [] };
    const wide = [...document.body.querySelectorAll('*')].filter(
      (each) => each.checkVisibility() && each.getBoundingClientRect().right > root.clientWidth + 1,
    );
    return { over, wide: wide.map((each) => each.outerHTML.slice(0, 120)) };
  });
  const width = page.viewportSize()?.width ?? 0;
  assert.ok(over <= 0, `${what} is ${over} px too wide at ${width} px:\n${wide.slice(0, 5).join('\n')}`);
}
