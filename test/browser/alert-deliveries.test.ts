import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const NONE = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const delivery = (number: number, changes: object = {}) => ({
  id: `msg_${number}`,
  to: { kind: 'channel', id: 1, name: '#ops' },
  state: 'sent',
  attempts: 1,
  answer: 'ok',
  at: ago(number * 3),
  kind: 'facts',
  created_at: ago(number * 3),
  counts: { ...NONE, new: 1 },
  errors: [{ id: String(number), title: `TypeError ${number}`, fact: 'new' }],
  note: '',
  ...changes,
});

const FIRST_PAGE = [
  delivery(1, { counts: { ...NONE, new: 1000, regressed: 1 } }),
  delivery(2, {
    ...{ state: 'failed', attempts: 9, answer: '503 Service Unavailable: upstream connect error' },
    to: { kind: 'channel', id: 2, name: 'Robot with a name that is rather long' },
  }),
  delivery(3, { to: { kind: 'person', id: 7, name: 'Ada Lovelace' }, kind: 'heartbeat', counts: NONE, errors: [] }),
  delivery(4, { state: 'dropped', answer: 'The channel was removed before the message was sent.' }),
  delivery(5, { kind: 'test', counts: NONE, errors: [] }),
];

describeInBrowser('deliveries of alerts', (world) => {
  const open = (page: Page) => page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
  const regionOf = (page: Page) => page.getByRole('region', { name: 'Deliveries' });

  /** Answers with two pages. */
  function pages(route: Route): Promise<void> {
    const { searchParams } = new URL(route.request().url());
    if (searchParams.get('cursor') === 'second') return route.fulfill({ json: [delivery(6)] });
    const link = `<${world().url}/more?cursor=second>; rel="next"`;
    return route.fulfill({ json: FIRST_PAGE, headers: { link } });
  }

  it('are listed with state, attempts and answer, page by page', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/alert_deliveries?*', pages);
    await open(page);
    const region = regionOf(page);
    await region.getByText('1,000 new and 1 regressed errors').waitFor();
    await region.getByText('9 attempts').waitFor();
    for (const text of ['All is well', 'Test', 'Not sent', 'Failed']) {
      await region.getByText(text, { exact: true }).waitFor();
    }
    await assertLooks(page, 'alerts-deliveries', { fullPage: true });
    await region.getByRole('button', { name: 'Older' }).click();
    await region.getByRole('link', { name: 'TypeError 6' }).waitFor();
    assert.ok(await region.getByRole('button', { name: 'Older' }).isDisabled());
    await region.getByRole('button', { name: 'Newer' }).click();
    await region.getByText('1,000 new and 1 regressed errors').waitFor();
  });

  it('that failed are sent again by mouse and keyboard, and say how it went', async () => {
    const page = await world().page();
    let answer: object = delivery(2, { state: 'failed', answer: 'still 503' });
    await page.route('**/error_tracking/alert_deliveries?*', pages);
    await page.route('**/error_tracking/alert_deliveries/msg_2/resend', (route) => route.fulfill({ json: answer }));
    await open(page);
    const again = regionOf(page).getByRole('button', { name: /^Send again/ });
    await again.click();
    await sees(page, 'The message was not sent. still 503');
    answer = delivery(2);
    await again.focus();
    await page.keyboard.press('Enter');
    await sees(page, 'The message was sent');
  });

  it('say that there are none, and that they could not be loaded', async () => {
    const page = await world().page({ expected: /status of 500/ });
    await open(page);
    await regionOf(page).getByText('No message in the last 30 days.').waitFor();
    await page.route('**/error_tracking/alert_deliveries?*', (route) =>
      route.fulfill({ status: 500, json: { message: 'boom' } }),
    );
    await page.reload();
    await regionOf(page).getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.unroute('**/error_tracking/alert_deliveries?*');
    await regionOf(page).getByRole('button', { name: 'Try again' }).click();
    await regionOf(page).getByText('No message in the last 30 days.').waitFor();
  });

  describe('on the page of an error', () => {
    let id = '';
    before(async () => {
      await sendEvent(world().target, richEvent(Date.now() / 1000));
      const [error] = await eventually(
        () => world().api('GET', ERRORS) as Promise<readonly { readonly id: string }[]>,
        (errors) => errors.length === 1,
      );
      id = error?.id ?? assert.fail();
    });

    const cardOf = (page: Page) => page.getByRole('region', { name: 'Activity', exact: true });

    it('say what was sent to whom, when, with which answer, or why nothing was', async () => {
      const to = { kind: 'channel', id: 1, name: '#ops' };
      const about = { at: ago(4), release: 'shop@4.2.1', environment: 'production', silence: null, deliveries: [] };
      const facts = [
        {
          ...{ ...about, fact: 'escalated', cause: { users: 1000 } },
          deliveries: [
            { id: null, to, state: 'waiting', attempts: 0, at: ago(-7), answer: 'Waits until 14:30 UTC.' },
            {
              ...{ id: 'msg_1', to: { kind: 'person', id: 7, name: 'Ada Lovelace' }, state: 'failed', attempts: 3 },
              ...{ at: ago(3), answer: '550 mailbox unavailable' },
            },
          ],
        },
        { ...about, fact: 'regressed', cause: {}, at: ago(90), silence: 'No rule reports environment production.' },
        {
          ...{ ...about, fact: 'new', cause: {}, at: ago(4000) },
          deliveries: [{ id: 'msg_0', to, state: 'sent', attempts: 1, at: ago(3999), answer: 'ok' }],
        },
      ];
      const page = await world().page();
      await page.route(`**/errors/${id}/alerts`, (route) => route.fulfill({ json: facts }));
      await page.goto(`${world().list}/${id}/details`);
      const card = cardOf(page);
      const lines = card.getByRole('list', { name: 'Notes and activity, newest first' }).locator('> li');
      for (const text of ['Waits until 14:30 UTC.', '550 mailbox unavailable']) {
        await lines.first().getByText(text).waitFor();
      }
      assert.deepEqual(
        (await lines.allInnerTexts()).map((text) => text.split('\n')[0]?.replace(/ (in|just|\d+ \w+ ago).*$/, '')),
        [
          'Alert to #ops and Ada Lovelace: Reached 1,000 users (1 to be sent, 1 not sent)',
          'Reached 1,000 users',
          'Came back after it was resolved',
          'Sent to #ops: New error',
          'New error',
        ],
      );
      await lines.nth(2).getByText('shop@4.2.1, production. Not reported: No rule reports').waitFor();
      const answer = lines.nth(3).getByText('ok', { exact: true });
      assert.equal(await answer.isVisible(), false);
      await lines.nth(3).getByText('Sent to #ops: New error').click();
      await answer.waitFor();
      await card.scrollIntoViewIfNeeded();
      await assertLooks(page, 'error-alerts');
    });

    it('are shown to developers, not to reporters, and a failure can be tried again', async () => {
      await world().person('dora-of-deliveries', 30);
      await world().person('rolf-of-deliveries', 20);
      const hers = await world().page({ as: 'dora-of-deliveries', expected: /status of 500/ });
      await hers.route(`**/errors/${id}/alerts`, (route) => route.fulfill({ status: 500, json: { message: 'boom' } }));
      await hers.goto(`${world().list}/${id}/details`);
      await cardOf(hers).getByText('Alerts could not be loaded. boom').waitFor();
      await hers.unroute(`**/errors/${id}/alerts`);
      await cardOf(hers).getByRole('button', { name: 'Try again' }).click();
      await cardOf(hers).getByText('New error', { exact: true }).waitFor();
      const his = await world().page({ as: 'rolf-of-deliveries' });
      const role = his.waitForResponse((response) => response.url().includes('/members/'));
      await his.goto(`${world().list}/${id}/details`);
      await role;
      await cardOf(his).getByText('No activity yet.').waitFor();
      assert.equal(await cardOf(his).getByText('New error').count(), 0);
    });
  });
});
