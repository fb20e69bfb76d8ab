import assert from 'node:assert/strict';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

const member = (id: number, username: string, origins: readonly (readonly [string, string, number])[]) => ({
  ...{ id, username, name: username, state: 'active', access_level: Math.max(...origins.map(([, , level]) => level)) },
  origins: origins.map(([kind, path, access_level]) => ({ kind, path, access_level })),
});

describeInDom('the origin of roles', (world) => {
  async function opened(members: readonly object[]): Promise<DomPage> {
    const page = await world().page();
    await page.route('**/api/v4/projects/*/members/all?*', (route) =>
      route.fulfill({ json: members, headers: { 'X-Next-Page': '' } }),
    );
    await page.goto('/demo/shop/-/project_members');
    return page;
  }

  it('is the project, a group with its page, or a sign-on, the highest first', async () => {
    const page = await opened([
      member(101, 'ada', [
        ['group', 'demo', 50],
        ['project', 'demo/shop', 20],
      ]),
      member(102, 'bob', [['identity_provider', 'demo/shop', 30]]),
    ]);
    await sees(page, 'Sign-on, for');
    const ada = page.locator('tbody tr', { hasText: 'ada' });
    const texts = await ada.locator('.origins').textContent();
    assert.match(texts, /^\s*Group\s+demo\s*Owner\s*This project\s*Reporter\s*$/);
    assert.equal(await ada.locator('a').getAttribute('href'), '/-/groups/demo');
    // The membership of the project itself can be changed and removed, a role from elsewhere cannot.
    assert.equal(await ada.locator('select').count(), 1);
    assert.equal(await page.locator('tbody tr', { hasText: 'bob' }).locator('select, button').count(), 0);
    await ada.locator('button').click();
    await sees(page, 'ada keeps the role Owner');
  });
});
