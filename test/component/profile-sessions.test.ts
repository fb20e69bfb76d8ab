import assert from 'node:assert/strict';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

const OTHER = {
  id: '00112233445566aa',
  current: false,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ip_address: '192.0.2.7',
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: '2026-01-02T00:00:00.000Z',
  expires_at: '2026-02-01T00:00:00.000Z',
};

describeInDom('the sessions of the profile', (world) => {
  /** Opens the profile with a second session, until it is ended. */
  async function opened(others: readonly object[]): Promise<{ page: DomPage; ended: string[] }> {
    const page = await world().page();
    const ended: string[] = [];
    await page.route('**/api/v4/user/sessions', async (route) => {
      const response = await route.fetch();
      const own = (await response.json()) as object[];
      return route.fulfill({ response, json: ended.length === 0 ? [...others, ...own] : own });
    });
    await page.route('**/api/v4/user/sessions/*', (route) => {
      ended.push(route.request.url);
      return route.fulfill({ status: 204 });
    });
    await page.goto('/-/profile');
    return { page, ended };
  }

  it('name browser and address, mark this browser, and end another one', async () => {
    const { page, ended } = await opened([OTHER]);
    await sees(page, 'Firefox on Linux');
    await sees(page, '192.0.2.7');
    await sees(page, 'This browser');
    const button = page.getByRole('button', { name: 'Sign out Firefox on Linux, 192.0.2.7' });
    await button.click();
    await sees(page, 'That browser is signed out');
    assert.equal(await button.count(), 0);
    assert.deepEqual(
      ended.map((url) => url.slice(url.lastIndexOf('/') + 1)),
      [OTHER.id],
    );
  });

  it('show what a program called itself as text, and a session of an earlier version without it', async () => {
    const hostile = { ...OTHER, user_agent: '<img src=x onerror=alert(1)> (X11)', ip_address: null };
    const { page } = await opened([hostile, { ...OTHER, id: 'b'.repeat(16), user_agent: null, ip_address: null }]);
    await sees(page, 'Unknown browser');
    await page.getByRole('button', { name: 'Sign out Unknown browser', exact: true }).waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
  });

  it('end all others, and keep this browser signed in', async () => {
    const page = await world().page();
    const other = await world().page();
    await page.goto('/-/profile');
    await page.getByRole('button', { name: 'Sign out other browsers' }).click();
    await sees(page, 'Other browsers are signed out');
    assert.equal(await page.getByRole('button', { name: 'Sign out other browsers' }).count(), 0);
    await other.goto('/-/profile');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await sees(page, 'This browser');
  });
});
