/** Takes the screenshots of the README: the built pages in Chromium, with errors of a small shop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorld } from '../test/support/browser.ts';
import { endRun } from '../test/support/run-end.ts';
import { sendShop } from './picture-data.ts';

/** Milliseconds until the events are listed and the charts are drawn. */
const SETTLED_MS = 2000;

const opened = await openWorld({ ownService: true });
const { world } = opened;
try {
  await sendShop(world);
  await sleep(SETTLED_MS);
  const page = await world.page();
  await page.goto(`${world.list}?sort=frequency`);
  await page.locator('tr[data-error]').first().waitFor();
  await sleep(SETTLED_MS);
  await page.screenshot({ path: 'docs/images/error-list.png' });
  await page.locator('tr[data-error] a', { hasText: 'PaymentError' }).first().click();
  await page.locator('[aria-label^="Stack trace"] .function').first().waitFor();
  await sleep(SETTLED_MS);
  await page.screenshot({ path: 'docs/images/error-details.png' });
  const complaints = await opened.endTest();
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
} finally {
  await opened.close();
  await endRun();
}
