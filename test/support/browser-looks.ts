import type { Page } from 'playwright-core';
import { assertAccessible } from './browser-axe.ts';
import { LOOKS, shoot } from './browser.ts';
import { assertFits } from './page-width.ts';

export interface LooksOptions {
  /** Whether pictures show the full page. */
  readonly fullPage?: boolean;
}

/** Open page that has the width of a phone. */
interface Phone {
  /** Takes a picture. One by the driver would give the page its own width back. */
  readonly take: (fullPage: boolean) => Promise<Buffer>;
  /** Takes the width back. */
  readonly end: () => Promise<void>;
}

/** Gives an open page the width of a phone. */
export async function becomePhone(page: Page): Promise<Phone> {
  const session = await page.context().newCDPSession(page);
  const size = { width: 390, height: 844 };
  await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true });
  return {
    take: async (fullPage) => {
      const { cssContentSize } = await session.send('Page.getLayoutMetrics');
      const whole = { captureBeyondViewport: true, clip: { ...cssContentSize, scale: 1 } };
      const { data } = await session.send('Page.captureScreenshot', fullPage ? whole : {});
      return Buffer.from(data, 'base64');
    },
    end: async () => {
      await session.detach();
      const own = page.viewportSize() ?? size;
      // The driver sends a size only if it differs from the last one that it has sent.
      await page.setViewportSize({ ...own, height: own.height + 1 });
      await page.setViewportSize(own);
    },
  };
}

/**
 * Fails unless an open page on a desktop is accessible in all `LOOKS`, with contrast, and no wider than the window.
 * Changes theme and width of the page in its state, which is cheaper than opening it again for each look. A pointer
 * stays: Chromium cannot take touch back from an open page. Suites of what depends on touch open a page of a phone.
 */
export async function assertLooks(page: Page, name: string, options: LooksOptions = {}): Promise<void> {
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' });
    const phone = look.phone ? await becomePhone(page) : null;
    try {
      const shown = `${name}${look.suffix}`;
      await shoot(page, shown, options.fullPage, phone?.take);
      await assertAccessible(page, true);
      await assertFits(page, shown);
    } finally {
      await phone?.end();
      await page.emulateMedia({ colorScheme: 'light' });
    }
  }
}
