import type { Page } from 'playwright-core';
import { assertAccessible } from './browser-axe.ts';
import { LOOKS, shoot, type Look } from './browser.ts';
import { assertFits } from './page-width.ts';

export interface LooksOptions {
  /** Whether pictures show the full page. */
  readonly fullPage?: boolean;
}

/** Gives an open page the width of a phone. The returned function takes it back. */
async function becomePhone(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const size = { width: 390, height: 844 };
  await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true });
  return async () => {
    await session.detach();
    const own = page.viewportSize() ?? size;
    // The driver sends a size only if it differs from the last one that it has sent.
    await page.setViewportSize({ ...own, height: own.height + 1 });
    await page.setViewportSize(own);
  };
}

async function assertLook(page: Page, name: string, { suffix }: Look, { fullPage }: LooksOptions): Promise<void> {
  await shoot(page, `${name}${suffix}`, fullPage);
  await assertAccessible(page, true);
  await assertFits(page, `${name}${suffix}`);
}

/**
 * Fails unless an open page on a desktop is accessible in all `LOOKS`, with contrast, and no wider than the window.
 * Changes theme and width of the page in its state, which is cheaper than opening it again for each look. A pointer
 * stays: Chromium cannot take touch back from an open page. Suites of what depends on touch open a page of a phone.
 */
export async function assertLooks(page: Page, name: string, options: LooksOptions = {}): Promise<void> {
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' });
    const end = look.phone ? await becomePhone(page) : null;
    try {
      await assertLook(page, name, look, options);
    } finally {
      await end?.();
      await page.emulateMedia({ colorScheme: 'light' });
    }
  }
}
