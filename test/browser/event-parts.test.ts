import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent, sendReport } from '../support/browser-seed.ts';
import { describeInBrowser, sees, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

/** Address of the details of the error with this in its title. */
async function addressOf(world: BrowserWorld, title: string): Promise<string> {
  const errors = await eventually(
    () =>
      world.api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<
        readonly { id: string; title: string }[]
      >,
    (all) => all.some((error) => error.title.includes(title)),
  );
  return `${world.list}/${errors.find((error) => error.title.includes(title))?.id ?? ''}/details`;
}

describeInBrowser('parts of an event', (world) => {
  it('name the latest users, each with their last event, and no user for events without one', async () => {
    const now = Date.now() / 1000;
    const hit = (back: number, user: object) =>
      sendEvent(world().target, { timestamp: now - back, message: 'it hit somebody', user });
    await hit(400, { id: '8', username: '<img src=x onerror=alert(1)>' });
    const ada = await hit(200, { id: '7', email: 'ada@example.com' });
    await hit(300, { id: '7', email: 'old@example.com' });
    await hit(100, {});
    const address = await addressOf(world(), 'it hit somebody');
    const shown = await world().page();
    await shown.goto(address);
    const card = shown.getByRole('region', { name: 'Latest users' });
    const links = card.locator('li > a:not(.button)');
    await links.nth(1).waitFor();
    assert.deepEqual(await links.allInnerTexts(), ['ada@example.com', '<img src=x onerror=alert(1)>']);
    await card.getByText('From recent events. Select a user to open their latest event.').waitFor();
    assert.equal(await shown.locator('main img').count(), 0);
    await card.scrollIntoViewIfNeeded();
    await assertLooks(shown, 'details-users');
    await links.first().click();
    await shown.waitForURL(`**?event=${ada}`);
    await shown.locator(`[data-event="${ada}"]`).waitFor();
    const all = card.getByRole('link', { name: 'All errors of ada@example.com' });
    assert.equal(
      new URL((await all.getAttribute('href')) ?? '', shown.url()).searchParams.get('search'),
      'user:ada@example.com',
    );
    await sendEvent(world().target, { message: 'it hit nobody' });
    const page = await world().page();
    const asked = page.waitForResponse(/\/errors\/\d+\/users$/);
    await page.goto(await addressOf(world(), 'it hit nobody'));
    await (await asked).finished();
    await sees(page, 'No stack trace for this error');
    assert.equal(await page.getByText('Latest users').count(), 0);
  });

  it('show what users wrote, on the error and in the list of the project, as text', async () => {
    const eventId = await sendEvent(world().target, { message: 'it hit a writer' });
    const comments = '<img src=x onerror=alert(1)> It broke';
    await sendReport(world().target, { event_id: eventId, name: 'Ada', email: 'ada@example.com', comments });
    await sendReport(world().target, {
      event_id: 'e'.repeat(32),
      name: '',
      email: 'bo@example.com',
      comments: 'Too early',
    });
    await eventually(
      () => world().api('GET', '/projects/demo%2Fshop/error_tracking/user_reports') as Promise<readonly unknown[]>,
      (all) => all.length === 2,
    );
    const address = await addressOf(world(), 'it hit a writer');
    const route = '**/errors/*/user_reports';
    const page = await world().page({ expected: /status of 500/ });
    await page.route(route, (given) => given.fulfill({ status: 500, json: { message: 'boom' } }));
    await page.goto(address);
    await sees(page, 'User reports could not be loaded. boom');
    await assertLooks(page, 'user-reports-failed');
    await page.unroute(route);
    await page.getByText('User reports could not be loaded.').locator('..').getByRole('button').click();
    const card = page.getByRole('region', { name: 'User reports' });
    await card.getByText(comments).waitFor();
    const placed = async () =>
      Promise.all(
        [page.locator('.facts .chart'), page.getByRole('heading', { level: 1 }), page.locator('.error-bar')].map(
          async (part) => (await part.boundingBox())?.y,
        ),
      );
    const before = await placed();
    await card.getByRole('button', { name: 'Show' }).press('Enter');
    await card.getByText('Ada · ada@example.com').waitFor();
    assert.deepEqual(await placed(), before, 'nothing above the reports moves, nor the chart beside them');
    await card.getByText('this event').waitFor();
    // A phone shows the table alone.
    await page.goto(`${address}?view=events`);
    await card.getByRole('button', { name: 'Show' }).press('Enter');
    await card.getByRole('link', { name: 'View event' }).click();
    await page.waitForURL((url) => url.searchParams.get('event') === eventId);
    await card.getByRole('link', { name: 'All reports of the project' }).click();
    await page.waitForURL('**/-/error_tracking/user_reports');
    await sees(page, 'Its event has not arrived');
    const rows = page.getByRole('list', { name: 'User reports, newest first' }).getByRole('listitem');
    assert.equal(await rows.count(), 2);
    await rows.getByText(comments).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    await assertLooks(page, 'user-reports');
    await page.setViewportSize({ width: 320, height: 640 });
    await assertFits(page);
    const search = page.getByRole('searchbox', { name: 'Search user reports' });
    await search.fill('ADA broke');
    await search.press('Enter');
    await page.waitForURL('**?search=ADA+broke');
    await sees(page, 'Searched 2 reported events for this page.');
    assert.equal(await rows.count(), 1);
    await search.fill('nobody wrote this');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await sees(page, 'No matching reports');
    await page.getByRole('button', { name: 'Show all reports' }).click();
    await rows.getByRole('link', { name: 'View event' }).click();
    await page.waitForURL(`**/details?event=${eventId}`);
    await page.locator(`[data-event="${eventId}"]`).waitFor();
  });

  it('show code without colours when the highlighter does not load', async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000));
    const address = await addressOf(world(), 'PaymentError');
    const page = await world().page({ dark: true, phone: true, expected: /ERR_FAILED|Couldn't load preload/ });
    await page.route(/assets\/(highlight|typescript)[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.goto(address);
    await sees(page, 'const receipt = await gateway.charge');
    assert.equal(await page.locator('.token-keyword').count(), 0);
    await assertAccessible(page);
  });
});
