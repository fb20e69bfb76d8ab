import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, type DomWorld, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const DAY = 86_400;

const rowOf = (page: DomPage, title: string) => page.locator('tr[data-error]', { hasText: title });
const tab = (page: DomPage, name: string) => page.getByRole('button', { name, exact: true });
const countOf = (page: DomPage, name: string, count: number) =>
  tab(page, name).locator('.count').getByText(String(count), { exact: true }).waitFor();

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

async function errorsOf(world: DomWorld): Promise<readonly Listed[]> {
  return (await world.api('GET', `${ERRORS}?status=all&per_page=100`)) as readonly Listed[];
}

async function send(world: DomWorld, type: string, more: object = {}): Promise<void> {
  const mechanism = { type: 'generic', handled: type !== 'CrashError' };
  const exception = { values: [{ type, value: 'no funds', mechanism }] };
  const count = async () => (await errorsOf(world)).find(({ title }) => title.startsWith(type))?.count ?? 0;
  const before = await count();
  await sendEvent(world.target, { timestamp: Date.now() / 1000, exception, fingerprint: [type], ...more });
  await eventually(count, (now) => now === before + 1);
}

describeInDom('what the list says about errors', (world) => {
  before(async () => {
    const old = Date.now() / 1000 - 3 * DAY;
    await send(world(), 'com.acme.payments.gateway.DeclinedException', { timestamp: old, release: 'shop@2.31.0' });
    await send(world(), 'CrashError', { level: 'fatal' });
    await send(world(), 'QuietError');
    const declined = (await errorsOf(world())).find(({ title }) => title.includes('Declined'));
    await world().api('PUT', `${ERRORS}/${declined?.id ?? ''}`, { status: 'resolved' });
    await send(world(), 'com.acme.payments.gateway.DeclinedException', { release: 'shop@2.33.0' });
  });

  it('ask for a review in a tab of their own, until a member has looked', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await countOf(page, 'For review', 3);
    await countOf(page, 'Unresolved', 3);
    await tab(page, 'For review').click();
    await page.waitForURL(/for_review=true/);
    await rowOf(page, 'QuietError').getByRole('link').focus();
    await page.keyboard.press('r');
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    await countOf(page, 'For review', 2);
    await countOf(page, 'Unresolved', 3);
    await page.keyboard.press('z');
    await rowOf(page, 'QuietError').waitFor();
    await page.getByText('Undone: 1 error').first().waitFor();
    await countOf(page, 'For review', 3);
    // Setting a status counts as a look; taking it back asks for the review again.
    await rowOf(page, 'QuietError').getByRole('link').focus();
    await page.keyboard.press('e');
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    const waiting = async () => ((await world().api('GET', `${ERRORS}?for_review=true`)) as readonly Listed[]).length;
    await eventually(waiting, (count) => count === 2);
    await page.keyboard.press('z');
    await page.getByText('Resolved: QuietError').waitFor({ state: 'detached' });
    await eventually(waiting, (count) => count === 3);
    await rowOf(page, 'QuietError').waitFor();
    await countOf(page, 'For review', 3);
    await rowOf(page, 'QuietError').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mark as reviewed' }).click();
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    await assertAccessible(page);
  });

  it('leave the list by an answer that is slower than the next look at it', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?for_review=true`);
    await rowOf(page, 'CrashError').waitFor();
    let asked = 0;
    let again: () => void = () => undefined;
    const lookedAgain = new Promise<void>((resolve) => (again = resolve));
    await page.route('**/error_tracking/errors?*', async (route) => {
      asked += 1;
      if (asked > 1) again();
      // Longer than the pause between two looks, of which the second one would end this request.
      else await Promise.race([lookedAgain, wait(5000)]);
      return route.fulfill({ response: await route.fetch() });
    });
    await rowOf(page, 'CrashError').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mark as reviewed' }).click();
    await rowOf(page, 'CrashError').waitFor({ state: 'detached' });
  });

  it('count events in a range apart from all events, and sort by the heads of columns', async () => {
    const page = await world().page();
    await page.goto(world().list);
    const head = (name: string | RegExp) => page.getByRole('columnheader', { name });
    await head('Events, all time').waitFor();
    assert.equal(await head('Last seen').getAttribute('aria-sort'), 'descending');
    await head('Users, all time').getByRole('button').click();
    await page.waitForURL(/sort=users/);
    assert.equal(await head('Users, all time').getAttribute('aria-sort'), 'descending');
    assert.equal(await head('Last seen').getAttribute('aria-sort'), null);
    await head('Last seen').getByRole('button').click();
    await page.getByRole('button', { name: 'Last 7 d' }).click();
    await page.waitForURL((url) => url.search === '?range=7d');
    await head('Events, 7 d').waitFor();
    await head('Events, all time').waitFor();
    const hour = page.getByRole('button', { name: 'Last 1 h' });
    assert.match((await hour.getAttribute('title')) ?? '', /those of the hour in which it begins all count/);
    await page.reload();
    await head('Events, 7 d').waitFor();
    await page.getByRole('button', { name: 'Any time' }).press('Enter');
    await head('Events, all time').waitFor();
    // The job that ranks errors may not have run yet.
    await page.route('**/errors?*sort=matters*', (route) =>
      route.fetch(route.request.url.replace('sort=matters', 'sort=users')),
    );
    assert.match(await head('What matters now').innerText(), /^Error\s+What matters now$/);
    await head('What matters now').getByRole('button').press('Enter');
    await page.waitForURL(/sort=matters/);
    assert.equal(await head('What matters now').getAttribute('aria-sort'), 'other');
    await page.locator('tr[data-error]').first().waitFor();
    await page.unroute('**/errors?*sort=matters*');
  });
});
