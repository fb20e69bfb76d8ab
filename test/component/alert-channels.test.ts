import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomPage, type DomLocator } from '../support/dom.ts';

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

describeInDom('the channels of the Alerts page', (world) => {
  afterEach(async () => {
    for (const { id } of await stored()) await world().api('DELETE', `${path()}/${id}`);
  });

  const path = () => `/projects/${world().service.first.project_id}/error_tracking/alert_channels`;
  const stored = () => world().api('GET', path()) as Promise<readonly Channel[]>;
  const cardOf = (page: DomPage): DomLocator => page.getByRole('region', { name: 'Channels' });

  async function open(page: DomPage): Promise<DomLocator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await cardOf(page).waitFor();
    return cardOf(page);
  }

  it('are added by type and address, switched off, changed and removed', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Add channel' }).click();
    await card.getByLabel('Type').selectOption({ label: 'Signed webhook' });
    await card.getByLabel('Name (optional)').fill('Our robot');
    await card.getByLabel('URL', { exact: true }).fill(ADDRESS);
    await card.getByRole('button', { name: 'Add channel' }).click();
    await sees(page, 'Channel added. Send a test to see it arrive.');
    const secret = await card.locator('.callout code').textContent();
    assert.match(secret, /^whsec_/);
    await card.getByText('Copy it now: it is not shown again.').waitFor();
    await card.getByRole('button', { name: 'Copy the signing secret' }).waitFor();
    await sees(page, /^New, regressed, escalated and unmuted errors .* are sent to Our robot\.$/);
    assert.doesNotMatch(await page.content(), /s3cret/);
    await assertAccessible(page);

    await page.reload();
    await card.getByText('Our robot').first().waitFor();
    assert.equal((await page.content()).includes(secret), false, 'shown once');
    await card.getByRole('button', { name: 'Switch off Our robot' }).click();
    await sees(page, 'Channel switched off');
    await card.getByText('Off', { exact: true }).waitFor();
    await sees(page, 'Nothing is reported: there is nobody to send it to.');
    await card.getByRole('button', { name: 'Switch on Our robot' }).click();
    await card.getByText('On', { exact: true }).waitFor();

    await card.getByRole('button', { name: 'Edit Our robot' }).click();
    await card.getByLabel('Name').fill('Their robot');
    await card.getByRole('checkbox', { name: 'Make a new signing secret' }).check();
    await card.getByRole('button', { name: 'Save channel' }).click();
    await card.getByText('Signing secret of “Their robot”').waitFor();
    assert.notEqual(await card.locator('.callout code').textContent(), secret);

    await card.getByRole('button', { name: 'Remove Their robot' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this channel?' });
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Remove channel' }).click();
    await sees(page, 'Channel removed');
    assert.deepEqual(await stored(), []);
  });

  it('say what is wrong with an address, and keep what was typed', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Add channel' }).click();
    await card.getByLabel('Webhook URL').fill('hooks.slack.com');
    await page.keyboard.press('Enter');
    await card
      .getByRole('alert')
      .getByText(/begins with https/)
      .waitFor();
    assert.equal(await card.getByLabel('Webhook URL').inputValue(), 'hooks.slack.com');
    await card.getByLabel('Webhook URL').fill('http://10.1.2.3/hook');
    await page.keyboard.press('Enter');
    await card
      .getByRole('alert')
      .getByText(/blocked|local|not allowed/i)
      .waitFor();
    await assertAccessible(page);
  });

  it('of Teams ask whether the test arrived, because Teams answers before', async () => {
    const page = await world().page();
    const teams = { ...CHANNEL, name: 'Team room', type: 'teams', host: 'prod.logic.azure.com' };
    const sent = {
      ...{ id: 'msg_1', to: { kind: 'channel', id: 1, name: 'Team room' }, state: 'sent', attempts: 1 },
      ...{ answer: '202 Accepted', at: new Date().toISOString(), created_at: new Date().toISOString() },
      ...{ kind: 'test', counts: { new: 0, regressed: 0, escalated: 0, unmuted: 0 }, errors: [], note: '' },
    };
    await page.route('**/error_tracking/alert_channels', (route) => route.fulfill({ json: [teams] }));
    await page.route('**/error_tracking/alert_channels/1/test', (route) => route.fulfill({ json: sent }));
    const card = await open(page);
    const test = card.getByRole('button', { name: 'Send a test to Team room' });
    await test.click();
    await card.getByText('Did the test arrive in Teams?').waitFor();
    await assertAccessible(page);
    await card.getByRole('button', { name: 'No', exact: true }).click();
    await card.getByText('The workflow in Teams failed').waitFor();
    await test.click();
    await card.getByRole('button', { name: 'Yes, it arrived' }).click();
    await card.getByText('This channel works').waitFor();
  });
});
