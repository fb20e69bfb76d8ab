import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { columnSums } from '../support/column-sums.ts';
import { describeInBrowser, LOOKS, pass, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

/** Milliseconds until the page reads the figures again. */
const LOOK_MS = 30_000;

/** One envelope with sessions of a release, as an SDK of a server sends them: counted by minute. */
async function sendSessions(world: BrowserWorld, release: string, exited: number, crashed: number): Promise<void> {
  const { username: key, pathname } = new URL(world.target.dsn);
  const started = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  const item = { aggregates: [{ started, exited, crashed }], attrs: { release, environment: 'production' } };
  const body = [{}, { type: 'sessions' }, item].map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(
    `${world.url}/errortracking/api/v1/projects/api/${pathname.split('/').at(-1) ?? ''}/envelope/`,
    {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-sentry-envelope',
        'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key}`,
      },
      body,
    },
  );
  assert.equal(answer.status, 200, await answer.text());
}

/** Waits until that many releases are listed, and that many sessions of them are counted. */
async function counted(world: BrowserWorld, releases: number, sessions: number): Promise<void> {
  const path = `/projects/${world.service.first.project_id}/error_tracking/releases`;
  await eventually(
    async () => (await world.api('GET', path)) as readonly { readonly sessions: { readonly total: number } }[],
    (list) => list.length === releases && list.reduce((sum, { sessions: { total } }) => sum + total, 0) === sessions,
  );
}

describeInBrowser('the releases page', (world) => {
  const address = () => `${world().list}/releases`;

  it('explains how releases appear while there are none', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'No releases yet');
    await shoot(page, 'releases-none');
    await assertAccessible(page);
  });

  it('shows crash-free rates, adoption and new errors of each release, and leads to its errors', async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000, { release: 'shop@4.2.1' }));
    await sendEvent(
      world().target,
      richEvent(Date.now() / 1000, { release: 'shop@4.2.0', fingerprint: ['another'], environment: 'staging' }),
    );
    await sendEvent(
      world().target,
      richEvent(Date.now() / 1000, { release: 'shop@4.1.0', fingerprint: ['silent'], environment: 'production' }),
    );
    await sendSessions(world(), 'shop@4.2.1', 291, 9);
    await sendSessions(world(), 'shop@4.2.0', 100, 0);
    await counted(world(), 3, 400);
    const page = await world().page();
    await page.goto(address());
    const row = page.getByRole('row').filter({ hasText: 'shop@4.2.1' });
    await row.getByText('97%').waitFor();
    await row.getByText('75%').waitFor();
    await sees(page, 'Newest first, by first seen');
    for (const { suffix, dark, phone } of LOOKS) {
      const shown = await world().page({ dark, phone });
      await shown.goto(address());
      await sees(shown, 'shop@4.2.0');
      await shoot(shown, `releases${suffix}`);
      if (phone) {
        const ends = await shown.locator('.list tr:has-text("shop@4.2.1") td[data-label]').evaluateAll((cells) =>
          cells.map((cell) => {
            const range = cell.ownerDocument.createRange();
            range.selectNodeContents(cell.querySelector('.meter .numeric, [aria-hidden]') ?? cell);
            return Math.round(range.getBoundingClientRect().right);
          }),
        );
        assert.equal(new Set(ends).size, 1, `all figures end at the right: ${ends.join(', ')}`);
      }
      await assertAccessible(shown, true);
      await assertFits(shown);
    }
    for (const width of [721, 768, 1024]) {
      await page.setViewportSize({ width, height: 850 });
      await assertFits(page);
    }
    await page.setViewportSize({ width: 1360, height: 850 });
    const cells = await row.getByRole('cell').count();
    assert.equal(await page.getByRole('columnheader').count(), cells);
    await page.getByRole('columnheader', { name: 'First seen' }).waitFor();
    // What crashed: 3 % of a scale up to 10 %.
    const bar = row.getByRole('img', { name: 'Crash-free sessions: 97%, 3% crashed' });
    assert.equal(Math.round(Number(await bar.locator('.part').getAttribute('width'))), 30);
    // It has events and no sessions, so that nobody knows how many use it.
    const silent = page.getByRole('row').filter({ hasText: 'shop@4.1.0' });
    assert.equal(await silent.getByText('unknown').count(), 3);
    assert.equal(await silent.getByText('0%').count(), 0);
    await page.getByLabel('Environment').selectOption('staging');
    await page.getByRole('row').filter({ hasText: 'shop@4.2.1' }).waitFor({ state: 'detached' });
    await sees(page, 'shop@4.2.0');
    assert.equal(new URL(page.url()).search, '?environment=staging');
    // No release there has sessions.
    await sees(page, 'Crash-free rates appear once an SDK sends sessions.');
    assert.equal(await page.getByRole('columnheader').count(), 5);
    await page.reload();
    await sees(page, 'shop@4.2.0');
    await page.getByLabel('Environment').selectOption('All environments');
    await page.getByLabel('Order').selectOption('By version');
    await sees(page, 'By version, greatest first');
    assert.equal(new URL(page.url()).search, '?sort=version');
    assert.match(await page.getByRole('row').nth(1).innerText(), /shop@4\.2\.1/);
    await page.getByRole('link', { name: /^Errors with the 1 events of shop@4\.2\.1/ }).click();
    await page.getByRole('heading', { name: 'Error Tracking' }).waitFor();
    await sees(page, 'PaymentError');
  });

  it('has a page for each release, and compares two', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('link', { name: 'shop@4.2.1', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shop@4.2.1', level: 1 }).waitFor();
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('97%').waitFor();
    await health.getByText('Show as a table').click();
    assert.deepEqual(await columnSums(health), [291, 0, 0, 0, 9]);
    await page
      .getByRole('region', { name: 'New errors (1)' })
      .getByRole('link', { name: /PaymentError/ })
      .waitFor();
    await page.getByRole('region', { name: 'Not in shop@4.2.1 (1)' }).getByText('Gone in 4.2.1').waitFor();
    assert.match(await page.title(), /^shop@4\.2\.1 · Release · /);
    await assertLooks(page, 'release');
    await page.getByRole('link', { name: 'Compare with previous' }).click();
    await page.getByRole('region', { name: 'Only in shop@4.2.1 (1)' }).waitFor();
    await assertLooks(page, 'releases-compared');
    await page.getByRole('region', { name: 'Not in shop@4.2.1 (1)' }).getByText('Gone in 4.2.1').waitFor();
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.waitForURL(/releases\/shop%404\.2\.0\/compare\?base=shop%404\.2\.1|base=shop@4\.2\.1/);
    await page.getByLabel('From', { exact: true }).selectOption('shop@4.1.0');
    await page.getByRole('region', { name: 'From shop@4.1.0' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'From shop@4.1.0' }).waitFor();
    await page.goto(`${address()}/shop%404.2.1/compare`);
    await page.getByRole('region', { name: 'From shop@4.2.0' }).waitFor();
    assert.match(page.url(), /[?]base=shop(@|%40)4\.2\.0$/);
    await page.goto(`${address()}/shop%404.1.0/compare`);
    await page.getByRole('heading', { name: 'No earlier release' }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Swap' }).isDisabled());
    await assertAccessible(page);
    await page.goto(`${address()}/no-such`);
    await page.getByRole('heading', { name: 'Release not found' }).waitFor();
    await page.getByRole('link', { name: 'All releases' }).waitFor();
  });

  it('brings its figures up to date while it is open', async () => {
    const page = await world().page({ clock: true });
    await page.goto(address());
    const row = page.getByRole('row').filter({ hasText: 'shop@4.2.1' });
    await row.getByText('97%').waitFor();
    await sendSessions(world(), 'shop@4.2.1', 600, 0);
    await counted(world(), 3, 1000);
    await pass(page, LOOK_MS);
    await row.getByText('99%').waitFor();
    await row.getByText('90%').waitFor();
  });

  it('says that releases are unavailable while error tracking is off', async () => {
    await world().api('PATCH', `/projects/${world().service.first.project_id}/error_tracking/settings`, {
      active: false,
    });
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'Error tracking is not enabled');
    await page.getByRole('link', { name: 'Open settings' }).waitFor();
  });
});
