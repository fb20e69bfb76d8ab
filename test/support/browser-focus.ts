import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** More steps than any page has places for the focus. */
const MOST_TABS = 100;

/** Role or tag, and name of what has the focus, as far as this test tells things apart; and whether the focus is seen. */
export const FOCUSED = `(() => {
  const one = document.activeElement;
  const { outlineStyle, boxShadow } = getComputedStyle(one);
  // The link of a row draws it around the row.
  const around = getComputedStyle(one, '::before').outlineStyle;
  const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  return {
    name: one.tagName.toLowerCase() + ' ' + label.trim().replace(/\\s+/g, ' '),
    seen: outlineStyle !== 'none' || boxShadow !== 'none' || around === 'solid',
  };
})()`;

export interface Focused {
  readonly name: string;
  readonly seen: boolean;
}

/** Presses Tab until what has the focus is called so; fails where the focus cannot be seen on the way. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < MOST_TABS; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused>(FOCUSED);
    // Only behind the last place of a page nothing has the focus; then it begins again.
    if (passed.at(-1)?.startsWith('body')) {
      assert.match(
        focused.name,
        /^a Skip to content$/,
        `the focus is lost between ${passed.at(-2)} and ${focused.name}`,
      );
    }
    passed.push(focused.name);
    if (!focused.name.startsWith('body')) assert.ok(focused.seen, `the focus cannot be seen on: ${focused.name}`);
    if (name.test(focused.name)) return;
  }
  assert.fail(`${String(name)} cannot be reached by Tab; there are: ${passed.join(', ')}`);
}
