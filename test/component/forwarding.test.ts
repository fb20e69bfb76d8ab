import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomPage, type DomLocator } from '../support/dom.ts';
import { FakeTarget } from '../support/fake-target.ts';
import { eventually } from '../support/service-process.ts';

const KEY = 'targetkey';
const DSN_LABEL = 'DSN of the other tracker';
const DAY_MS = 86_400_000;

/** A day as a date field has it. */
const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

describeInDom('forwarding on the settings page', (world) => {
  let target: FakeTarget;
  before(async () => {
    target = await FakeTarget.start();
  });
  after(() => target.close());
  afterEach(async () => {
    target.reply = () => ({});
    await world()
      .api('DELETE', path())
      .catch(() => undefined);
  });

  const path = () => `/projects/${world().service.first.project_id}/error_tracking/forwarding`;
  const stored = () => world().api('GET', path()) as Promise<Record<string, unknown>>;
  const cardOf = (page: DomPage): DomLocator => page.getByRole('region', { name: 'Forwarding' });

  async function open(page: DomPage): Promise<DomLocator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    const card = cardOf(page);
    await card.getByLabel(DSN_LABEL).waitFor();
    return card;
  }

  it('begins, shows how far it is, changes the end, and stops; the key is never shown', async () => {
    const page = await world().page();
    const card = await open(page);
    assert.ok(await card.getByRole('button', { name: 'Start forwarding' }).isDisabled());
    await card.getByLabel(DSN_LABEL).fill(target.dsn);
    await card.getByLabel(/^Until/).fill(dayAt(Date.now() + 30 * DAY_MS));
    await card.getByRole('button', { name: 'Start forwarding' }).click();
    await sees(page, 'Forwarding has begun');
    await card.getByRole('status').getByText('On', { exact: true }).waitFor();
    await card.getByText(`http://127.0.0.1:${target.port}/sub/77`).waitFor();
    assert.ok(Date.parse(String((await stored())['until'])) > Date.now() + 28 * DAY_MS);

    await eventually(
      async () => {
        await sendEvent(world().target, { message: 'goes to both' });
        return target.eventIds.size;
      },
      (size) => size > 0,
    );
    await card.getByText('Nothing yet').waitFor({ state: 'detached' });
    assert.doesNotMatch(await page.content(), new RegExp(KEY));

    await card.getByLabel(/^Until/).fill('');
    await card.getByRole('button', { name: 'Save forwarding' }).click();
    await sees(page, 'Forwarding saved');
    assert.deepEqual([(await stored())['until'], (await stored())['active']], [null, true]);

    await card.getByRole('button', { name: 'Stop forwarding…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop forwarding?' });
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Stop forwarding' }).click();
    await sees(page, 'Nothing is forwarded any more');
    await card.getByRole('button', { name: 'Start forwarding' }).waitFor();
    await assert.rejects(stored());
  });

  it('says what is wrong with a DSN, and keeps what was typed', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByLabel(DSN_LABEL).fill('https://old.example.com/42');
    await card.getByRole('button', { name: 'Start forwarding' }).click();
    await card.getByRole('alert').getByText('use https://public_key@host/project_id').waitFor();
    assert.equal(await card.getByLabel(DSN_LABEL).inputValue(), 'https://old.example.com/42');
    await card.getByLabel(DSN_LABEL).fill(`https://${KEY}@10.0.0.1/1`);
    await page.keyboard.press('Enter');
    await card.getByRole('alert').getByText('blocked').waitFor();
    await assertAccessible(page);
  });
});
