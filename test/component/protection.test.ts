import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomPage, type DomLocator } from '../support/dom.ts';

const SAVED = 'Scrubbing and limits saved';

describeInDom(
  'scrubbing and limits on the settings page',
  (world) => {
    const address = () => `/${world().service.first.project_path}/-/settings/operations`;
    const path = () => `/projects/${world().service.first.project_id}/error_tracking/protection`;
    const stored = async () => ((await world().api('GET', path())) as { own: Record<string, unknown> }).own;
    const send = (message: string) => sendEvent(world().target, { message, extra: { iban: 'DE02 1203 0000 0000' } });

    async function open(page: DomPage): Promise<DomLocator> {
      await page.goto(address());
      const card = page.getByRole('region', { name: 'Scrubbing and limits' });
      await card.getByRole('button', { name: 'Save scrubbing and limits' }).waitFor();
      return card;
    }
    const save = (card: DomLocator) => card.getByRole('button', { name: 'Save scrubbing and limits' }).click();
    const fields = (card: DomLocator) => card.getByLabel('Fields to hide');
    const ofKey = (card: DomLocator) => card.getByLabel('Events of each key, per minute');
    const ofProject = (card: DomLocator) => card.getByLabel('Events of this project, per minute');

    afterEach(() =>
      world().api('PUT', path(), {
        sensitive_fields: [],
        scrub_ips: false,
        key_events_per_minute: null,
        project_events_per_minute: null,
      }),
    );

    it('shows the configuration beside the protection of the project', async () => {
      const card = await open(await world().page());
      assert.equal(await fields(card).inputValue(), '');
      assert.equal(await ofKey(card).inputValue(), '');
      assert.equal(await ofKey(card).getAttribute('placeholder'), 'Unlimited');
      await card.getByText('Instance setting: pin.').waitFor();
      await card.getByText('Instance limit: 600 a minute, up to 600 at once.').waitFor();
      await card.getByText('Instance limit: none.').waitFor();
    });

    it('saves a field and a limit: the field is hidden in later events, and events beyond the limit are refused', async () => {
      const page = await world().page();
      await send('before it was asked for');
      const card = await open(page);
      await fields(card).fill('iban, account\nIBAN');
      await ofProject(card).fill('2');
      await save(card);
      await sees(page, SAVED);
      assert.equal(await fields(card).inputValue(), 'iban\naccount');
      await card.getByText('2 a minute, up to 2 at once', { exact: true }).waitFor();
      assert.deepEqual(await stored(), {
        sensitive_fields: ['iban', 'account'],
        scrub_ips: false,
        key_events_per_minute: null,
        project_events_per_minute: 2,
      });

      await send('after it was asked for');
      await send('the last one of this minute');
      await assert.rejects(send('one too many'), /reached its limit of items per minute/);

      await page.goto(world().list);
      await page.getByRole('link', { name: 'after it was asked for' }).click();
      await sees(page, '[Filtered]');
      assert.equal(await page.getByText('DE02 1203').count(), 0);
      await page.goto(world().list);
      await page.getByRole('link', { name: 'before it was asked for' }).click();
      await sees(page, 'DE02 1203');

      await open(page);
      assert.equal(await ofProject(card).inputValue(), '2');
      await fields(card).fill('');
      await ofProject(card).fill('');
      await card.getByLabel('Remove IP addresses').check();
      await save(card);
      await sees(page, SAVED);
      assert.deepEqual(await stored(), {
        sensitive_fields: [],
        scrub_ips: true,
        key_events_per_minute: null,
        project_events_per_minute: null,
      });
      await send('taken again');
    });

    it('shows what is wrong with an entry, and saves nothing of it', async () => {
      const page = await world().page();
      const card = await open(page);
      await ofKey(card).fill('many');
      await ofProject(card).fill('0');
      assert.equal(await card.getByRole('alert').filter({ hasText: 'whole number' }).count(), 0);
      await save(card);
      await card
        .getByRole('alert')
        .filter({ hasText: 'Enter a whole number of 1 or more, or leave it empty.' })
        .nth(1)
        .waitFor();
      assert.equal(await ofKey(card).getAttribute('aria-invalid'), 'true');
      await assertAccessible(page);
      await ofKey(card).fill('1,200');
      await ofProject(card).fill('');
      await fields(card).fill('x'.repeat(101));
      await save(card);
      await sees(page, 'an entry of Fields to hide is too long (maximum is 100 characters)');
      assert.deepEqual((await stored()).key_events_per_minute, null);
      await fields(card).fill('iban');
      await save(card);
      await sees(page, SAVED);
      assert.deepEqual((await stored()).key_events_per_minute, 1200);
      assert.equal(await page.getByText('is too long').count(), 0);
    });
  },
  { config: { scrubbing: { sensitiveFields: ['pin'] }, limits: { key: { eventsPerMinute: 600 } } } },
);
