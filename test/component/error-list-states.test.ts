import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomWorld, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const API = '**/api/v4/projects/*/error_tracking/errors?**';

async function givenErrors(world: DomWorld): Promise<void> {
  for (const message of ['first of them', 'second of them']) await sendEvent(world.target, { message, level: 'error' });
  await eventually(
    () => world.api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<readonly unknown[]>,
    (errors) => errors.length >= 2,
  );
}

/** Answers of the list as an external tracker would give them. */
async function asTracker(page: DomPage, headers: Record<string, string>): Promise<void> {
  await page.route(API, async (route) => {
    const errors = (await (await route.fetch()).json()) as object[];
    const changed = errors.map((error) => ({
      ...error,
      integrated: false,
      user_count: null,
      frequency: null,
      culprit: null,
      external_url: 'https://tracker.example/issues/1',
    }));
    return route.fulfill({ json: changed, headers });
  });
}

describeInDom('states of the list', (world) => {
  before(async () => {
    await givenErrors(world());
  });

  it('say that error tracking is not enabled, and where to enable it', async () => {
    await world().api('PATCH', '/projects/demo%2Fshop/error_tracking/settings?active=false');
    try {
      const page = await world().page();
      await page.goto(world().list);
      await sees(page, 'Error tracking is not enabled');
      await assertAccessible(page);
      const link = page.getByRole('link', { name: 'Open settings' });
      assert.match((await link.getAttribute('href')) ?? '', /\/-\/settings\/operations$/);
    } finally {
      await world().api('PATCH', '/projects/demo%2Fshop/error_tracking/settings?active=true');
    }
  });

  it('ask to sign in again when the session has ended, and come back', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?sort=users`);
    await sees(page, 'first of them');
    page.clearCookies();
    await page.getByRole('button', { name: 'Resolved', exact: true }).click();
    await sees(page, 'Your session has ended. Sign in to continue.');
    assert.equal(new URL(page.url()).searchParams.get('return_to'), `${world().list}?status=resolved&sort=users`);
  });

  it('say that the store is unavailable, and retry on demand', async () => {
    const page = await world().page({ expected: /503/ });
    await page.route(API, (route) => route.fulfill({ status: 503, json: { message: 'The store is away.' } }));
    await page.goto(world().list);
    await sees(page, 'Temporarily unavailable');
    await page.unroute(API);
    await page.getByRole('button', { name: 'Try again' }).click();
    await sees(page, 'first of them');
  });

  it('show what an external tracker does not provide as unknown, and the age of a copy', async () => {
    const page = await world().page();
    const hourAgo = new Date(Date.now() - 3_600_000 - 60_000).toISOString();
    await asTracker(page, { 'X-Errgate-Stale-Since': hourAgo });
    await page.goto(world().list);
    await sees(page, 'The external tracker does not respond. Data as of 1 h ago.');
    const cells = page.locator('tr[data-error]').first();
    assert.equal(await cells.locator('.users .sr-only').innerText(), 'unknown');
    await assertAccessible(page);
  });

  it('show only the sorts and filters that the tracker supports', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/capabilities', (route) =>
      route.fulfill({
        json: {
          sorts: ['last_seen', 'frequency'],
          filters: ['search', 'status'],
          conditions: [],
          marks: [],
          merge: false,
          releases: false,
          status_details: false,
          unstable_sorts: [],
        },
      }),
    );
    await page.goto(world().list);
    await sees(page, 'first of them');
    await page.getByLabel('Level', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(
      (await page.locator('thead button').allInnerTexts()).map((text) => text.trim().replaceAll(/\s+/g, ' ')),
      ['Events all time', 'Last seen'],
    );
    const tabs = page.getByRole('group', { name: 'Status' });
    assert.equal(await tabs.getByRole('button', { name: 'For review' }).count(), 0);
    assert.equal(await page.getByRole('group', { name: 'Time range' }).count(), 0);
    assert.equal(await page.getByLabel('Environment', { exact: true }).count(), 0);
  });

  it('warn that later pages may skip errors, only for a sort where they may', async () => {
    const hint = /later pages can skip or repeat errors.*Narrow the list down/s;
    const page = await world().page();
    await page.route('**/error_tracking/capabilities', async (route) => {
      const answer = await route.fetch();
      return route.fulfill({ json: { ...(await answer.json()), unstable_sorts: ['frequency'] } });
    });
    await page.goto(`${world().list}?sort=frequency`);
    await sees(page, 'first of them');
    assert.equal(await page.getByText(hint).count(), 0, 'the only page is complete');
    await page.route(API, async (route) => {
      const answer = await route.fetch();
      const link = `<${new URL(route.request.url).pathname}?cursor=next>; rel="next"`;
      return route.fulfill({ response: answer, headers: { link } });
    });
    await page.goto(`${world().list}?sort=frequency`);
    await page.getByText(hint).waitFor();
    await assertAccessible(page);
    await page.getByRole('columnheader', { name: 'Last seen' }).getByRole('button').click();
    await page.getByText(hint).waitFor({ state: 'detached' });
  });

  it('say that the tracker is down, with its reason', async () => {
    const page = await world().page({ expected: /502/ });
    await page.route(API, (route) =>
      route.fulfill({
        status: 502,
        json: { message: 'tracker.example did not answer in time', code: 'tracker_unreachable' },
      }),
    );
    await page.goto(world().list);
    await sees(page, 'The external tracker does not respond');
    await sees(page, 'tracker.example did not answer in time');
    await assertAccessible(page);
  });

  it('restore a row when its change is refused', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/errors/bulk', (route) =>
      route.fulfill({ status: 403, json: { message: '403 Forbidden' } }),
    );
    await page.goto(world().list);
    await page.getByRole('button', { name: 'Resolve first of them' }).click();
    await sees(page, 'Changing the status needs the Developer role in this project.');
    await page.locator('tr[data-error]', { hasText: 'first of them' }).waitFor();
  });

  it('say when no unresolved error is left', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await sees(page, 'first of them');
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await sees(page, 'No unresolved errors');
    await assertAccessible(page);
  });
});
