import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomPage, type DomLocator } from '../support/dom.ts';
import { FakeHook } from '../support/fake-hook.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Nothing listens there: these tests only need mail to be configured. */
const MAIL = 'smtp://127.0.0.1:9';

describeInDom(
  'alerts that are sent',
  (world) => {
    let hook: FakeHook;
    before(async () => {
      hook = await FakeHook.start();
    });
    after(() => hook.close());

    const path = () => `/projects/${world().service.first.project_id}/error_tracking/alert_channels`;
    const cardOf = (page: DomPage): DomLocator => page.getByRole('region', { name: 'Channels' });

    async function open(page: DomPage): Promise<DomLocator> {
      await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
      await cardOf(page).waitFor();
      return cardOf(page);
    }

    it('of a new error wait for their message, and the error and the channel say so', async () => {
      await world().api('POST', path(), { type: 'mattermost', name: 'Town Square', url: hook.url });
      await sendEvent(world().target, richEvent(Date.now() / 1000));
      const [error] = await eventually(
        () => world().api('GET', ERRORS) as Promise<readonly { readonly id: string }[]>,
        (errors) => errors.length === 1,
      );
      const id = error?.id ?? assert.fail();
      await eventually(
        () =>
          world().api('GET', `${ERRORS}/${id}/alerts`) as Promise<
            readonly { readonly deliveries: readonly unknown[] }[]
          >,
        (facts) => facts.some(({ deliveries }) => deliveries.length > 0),
      );
      const page = await world().page();
      await page.goto(`${world().list}/${id}/details`);
      const alerts = page.getByRole('region', { name: 'Activity', exact: true });
      await alerts.getByText('New error', { exact: true }).waitFor();
      const sent = alerts.getByText(/^(To be sent|Sent) to .*Town Square.*: New error$/);
      const state = alerts.getByText(/^(Waits|Being sent|Sent)$/).first();
      await sent.waitFor();
      // Its details open by themselves while it waits, and close once it is sent.
      await eventually(
        async () => {
          if (!(await state.isVisible())) await sent.click();
          return state.isVisible();
        },
        (shown) => shown,
      );
      await assertAccessible(page);
    });

    it('name the members without an address, and those that get mail', async () => {
      await world().person('nora', 30);
      const page = await world().page();
      await open(page);
      const people = page.getByRole('region', { name: 'Members by mail' });
      await people.getByRole('listitem').filter({ hasText: 'nora' }).getByText('No mail', { exact: true }).waitFor();
      const { id } = (await world().api('GET', '/user')) as { readonly id: number };
      await world().api('PUT', `/users/${id}`, { email: 'root@example.com' });
      await page.reload();
      await people.getByRole('listitem').filter({ hasText: 'You' }).getByText('No message yet.').waitFor();
      await sees(page, /^New, regressed, escalated and unmuted errors .* are mailed to 1 member/);
      await assertAccessible(page);
    });

    it('are tested by mouse and keyboard, show the answer, and are sent again', async () => {
      await world().api('POST', path(), { type: 'webhook', name: 'Our robot', url: hook.url });
      const page = await world().page();
      const card = await open(page);
      await card.getByRole('button', { name: 'Send a test to Our robot' }).click();
      await card.getByText('The test was sent').waitFor();
      await eventually(
        () => Promise.resolve(hook.calls.at(-1)?.headers['webhook-signature'] ?? ''),
        (signature) => String(signature).startsWith('v1,'),
      );
      const deliveries = page.getByRole('region', { name: 'Deliveries' });
      await deliveries.getByRole('row', { name: /Our robot.*Test.*Sent/ }).waitFor();

      hook.reply = { status: 404, body: 'no such hook' };
      await card.getByRole('button', { name: 'Send a test to Our robot' }).click();
      await card.getByText('The test was not sent').waitFor();
      await card.getByText(/404/).first().waitFor();
      await deliveries.getByRole('row', { name: /Our robot.*Test.*Failed/ }).waitFor();
      hook.reply = { status: 200, body: 'ok' };
      await deliveries.getByRole('button', { name: 'Send again to Our robot' }).click();
      await sees(page, 'The message was sent');
      await deliveries.getByRole('button', { name: 'Send again to Our robot' }).waitFor({ state: 'detached' });

      await assertAccessible(page);
      await card.getByRole('button', { name: 'Send a test to Our robot' }).focus();
      await page.keyboard.press('Enter');
      await card.getByText('The test was sent').waitFor();
    });
  },
  { env: { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1', ERRGATE_MAIL_URL: MAIL } },
);
