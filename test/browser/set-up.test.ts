import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, pass, sees, shoot } from '../support/browser.ts';

/** Milliseconds after which the page reports that the test event is delayed. */
const SLOW_MS = 16_000;

const LANGUAGES = ['Go', 'Java', 'Node.js', 'PHP', 'Python', 'Ruby', 'Rust', 'Browser'];

describeInBrowser('the set-up page', (world) => {
  const address = () => `${world().list}/setup`;

  it('has the DSN in a snippet for every language', async () => {
    const page = await world().page();
    await page.goto(address());
    const { dsn } = world().service.first;
    for (const language of LANGUAGES) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      const code = await page.getByRole('tabpanel').textContent();
      assert.ok(code?.includes(dsn), `${language}: ${code ?? ''}`);
    }
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    await assertLooks(page, 'set-up');
  });

  it('sends a test event and shows its arrival', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await sees(page, 'Received.');
    await shoot(page, 'set-up-arrived');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Send another one' }).click();
    await sees(page, 'Received.');
    await page.getByRole('link', { name: 'Show the error' }).click();
    await page
      .getByRole('heading', { name: /TestEvent/ })
      .first()
      .waitFor();
  });

  it('says what a test event is, and when it is delayed', async () => {
    const page = await world().page({ clock: true });
    await page.route('**/error_tracking/errors?**', (route) => route.fulfill({ json: [] }));
    await page.goto(address());
    await sees(page, 'Sends a sample event through the normal pipeline (not through your network');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await sees(page, 'Accepted, processing…');
    await pass(page, SLOW_MS);
    await sees(page, 'Accepted, still processing…');
  });

  it('says so where error tracking is off, or where no key is active', async () => {
    const api = `/projects/${world().service.first.project_id}/error_tracking`;
    await world().api('PATCH', `${api}/settings`, { active: false });
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'Error tracking is not enabled');
    await shoot(page, 'set-up-off');
    assert.equal(await page.getByRole('button', { name: 'Send a test event' }).count(), 0);
    await world().api('PATCH', `${api}/settings`, { active: true });
    const keys = (await world().api('GET', `${api}/client_keys`)) as { id: number }[];
    for (const { id } of keys) await world().api('PUT', `${api}/client_keys/${id}`, { active: false });
    await page.reload();
    await sees(page, 'No active key');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByRole('alert').filter({ hasText: 'no active client key' }).waitFor();
    await sees(page, 'This project has no active key');
    await page.getByRole('link', { name: 'Create or enable a key in the settings' }).waitFor();
    assert.equal(await page.getByText('DSN from a maintainer').count(), 0);
    await assertAccessible(page);
  });

  it('finds the DSN of the one active key after a page of disabled ones', async () => {
    const path = `/projects/${world().service.first.project_id}/error_tracking/client_keys`;
    let dsn = '';
    for (let count = 0; count < 21; count += 1) {
      const key = (await world().api('POST', path)) as { id: number; thirdparty_dsn: string };
      if (count < 20) await world().api('PUT', `${path}/${key.id}`, { active: false });
      dsn = key.thirdparty_dsn;
    }
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('tabpanel').getByText(dsn).waitFor();
    assert.equal(await page.getByText('No active key').count(), 0);
  });

  it('says that the keys could not be read, and not that there are none', async () => {
    const page = await world().page({ expected: /500/ });
    await page.route('**/error_tracking/client_keys?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(address());
    await page.getByRole('button', { name: /again/i }).waitFor();
    assert.equal(await page.getByText('No active key').count(), 0);
    assert.equal(await page.getByRole('tabpanel').count(), 0);
  });
});
