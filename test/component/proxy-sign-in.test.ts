import assert from 'node:assert/strict';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

describeInDom('a proxy that signs people in', (world) => {
  /** Opens a page for which the service says what the proxy did. */
  async function openedWith(proxy: 'signed_in' | 'refused', path: string): Promise<DomPage> {
    const page = await world().page({ stranger: proxy === 'refused' });
    await page.route('**/-/session', async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...((await response.json()) as object), proxy } });
    });
    await page.goto(path);
    return page;
  }

  it('leaves nothing to sign in with where it names nobody with an account', async () => {
    const page = await openedWith('refused', '/-/profile');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await sees(page, /there is no errgate account for you/);
    assert.equal(await page.getByLabel('Password').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0);
  });

  it('is where to sign out, which the profile says', async () => {
    const page = await openedWith('signed_in', '/-/profile');
    await sees(page, /To sign out here, sign out there/);
    await sees(page, 'Browsers that you are signed in with');
    assert.equal(await page.getByRole('button', { name: 'Sign out', exact: true }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Sign out everywhere' }).count(), 0);
  });
});
