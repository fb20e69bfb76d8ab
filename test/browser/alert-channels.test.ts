import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

interface Channel {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
}

/** Nothing listens there: these tests send nothing. */
const ADDRESS = 'http://127.0.0.1:8099/hook/s3cret';

const IDLE = { state: 'idle', next_at: null, reason: '', last_sent_at: null, failing_since: null, last_answer: null };
const CHANNEL = {
  id: 1,
  type: 'slack',
  name: '#ops',
  host: 'hooks.slack.com',
  enabled: true,
  disabled_reason: null,
  created_at: '2026-11-01T00:00:00Z',
  outlook: IDLE,
};

describeInBrowser('the channels of the Alerts page', (world) => {
  afterEach(async () => {
    for (const { id } of await stored()) await world().api('DELETE', `${path()}/${id}`);
  });

  const path = () => `/projects/${world().service.first.project_id}/error_tracking/alert_channels`;
  const stored = () => world().api('GET', path()) as Promise<readonly Channel[]>;
  const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Channels' });

  async function open(page: Page): Promise<Locator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await cardOf(page).waitFor();
    return cardOf(page);
  }

  it('say where to find the address of each type, and fit every screen', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Add channel' }).click();
    const types = await card.getByLabel('Type').locator('option').allTextContents();
    assert.equal(types.length, 8);
    const hints = new Set<string>();
    for (const type of types) {
      await card.getByLabel('Type').selectOption({ label: type });
      hints.add((await card.locator('.hint').first().textContent()) ?? '');
    }
    assert.equal(hints.size, 8);
    await card.getByLabel('Type').selectOption({ label: 'Mail' });
    await card.getByText(/Mail is not set up on this instance/).waitFor();
    await assertLooks(page, 'alerts-channel-form', { fullPage: true });
  });

  it('work with the keyboard alone', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Add channel' }).focus();
    await page.keyboard.press('Enter');
    await eventually(
      () => card.getByLabel('Type').and(page.locator(':focus')).count(),
      (count) => count === 1,
    );
    await page.keyboard.type('Mattermost');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Town Square');
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADDRESS);
    await page.keyboard.press('Enter');
    await sees(page, 'Channel added. Send a test to see it arrive.');
    assert.deepEqual(
      (await stored()).map(({ name }) => name),
      ['Town Square'],
    );
  });

  it('show each state: waiting, failing, switched off and why', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const channels = [
      CHANNEL,
      {
        ...CHANNEL,
        ...{ id: 2, name: 'Robot', type: 'webhook', host: 'robot.example.com' },
        outlook: {
          ...IDLE,
          ...{ state: 'waiting', next_at: ago(-7), last_sent_at: ago(8) },
          reason: 'Waits until 14:30 UTC: 3 messages in the last hour.',
        },
      },
      {
        ...CHANNEL,
        ...{
          id: 3,
          name: 'Town Square, where everybody of the shop reads what failed',
          type: 'mattermost',
          host: 'chat.example.com',
        },
        outlook: {
          ...IDLE,
          ...{ state: 'retrying', next_at: ago(-2), last_sent_at: ago(600), failing_since: ago(45) },
          ...{ reason: 'Attempt 6 at 14:25 UTC.', last_answer: '503 Service Unavailable' },
        },
      },
      {
        ...CHANNEL,
        ...{ id: 4, name: 'Old team', type: 'teams', host: 'prod.logic.azure.com', enabled: false },
        disabled_reason: 'the receiver answered 410 Gone',
        outlook: { ...IDLE, state: 'off', last_sent_at: ago(9000) },
      },
    ];
    const page = await world().page();
    await page.route('**/error_tracking/alert_channels', (route) => route.fulfill({ json: channels }));
    const card = await open(page);
    await card.getByText('No message yet.').waitFor();
    await card.getByText('Waits until 14:30 UTC: 3 messages in the last hour.').waitFor();
    await card.getByText('Failing since 45 min ago').waitFor();
    await card.getByText('503 Service Unavailable').waitFor();
    await card.getByText('Switched off by errgate: the receiver answered 410 Gone').waitFor();
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
    await assertLooks(page, 'alerts-channels', { fullPage: true });
  });
});
