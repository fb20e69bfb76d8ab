import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees } from '../support/dom.ts';

describeInDom('the set-up page', (world) => {
  const address = () => `${world().list}/setup`;

  it('sends a test event and shows its arrival', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await sees(page, 'Received.');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Send another one' }).click();
    await sees(page, 'Received.');
    await page.getByRole('link', { name: 'Show the error' }).click();
    await page
      .getByRole('heading', { name: /TestEvent/ })
      .first()
      .waitFor();
  });

  it('says so where error tracking is off, or where no key is active', async () => {
    const api = `/projects/${world().service.first.project_id}/error_tracking`;
    await world().api('PATCH', `${api}/settings`, { active: false });
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'Error tracking is not enabled');
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
