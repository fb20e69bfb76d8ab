import type { Page } from 'playwright-core';

/** Adds up how far elements move by themselves in pages that open from now on. Call before `goto`. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.__shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
}

/** Layout shift of a watched page so far, as the browser scores it: 0 for none. Waits for the next drawn image. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.__shift))))',
  );
}
