import assert from 'node:assert/strict';
import { describeInDom, sees } from '../support/dom.ts';

describeInDom('the form of a new project', (world) => {
  /** Makes `plain`, `open` (public, without error tracking) and `open/inner`, which says nothing itself. */
  async function makeGroups(): Promise<void> {
    for (const path of ['plain', 'open']) await world().api('POST', '/groups', { name: path, path });
    await world().api('POST', '/groups', { name: 'inner', path: 'inner', parent_path: 'open' });
    const defaults = { default_visibility: 'public', default_error_tracking: 'disabled' };
    await world().api('PUT', '/groups/open', defaults);
  }

  it('begins with what the nearest group says, also one above those of the own role', async () => {
    await makeGroups();
    await world().person('emil');
    await world().api('POST', '/groups/open%2Finner/members', { username: 'emil', access_level: 40 });
    await world().api('POST', '/projects', { path: 'open/inner/first' });
    const page = await world().page({ as: 'emil' });
    await page.goto('/');
    await page.getByRole('button', { name: 'New project' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.waitFor();
    await sees(page, 'Projects of this group begin without error tracking.');
    assert.equal(await form.getByLabel('Group').inputValue(), 'open/inner');
    assert.equal(await form.getByRole('radio', { name: 'Public' }).isChecked(), true);
    await form.getByLabel('Name').fill('Second');
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL('**/open/inner/second/-/settings/operations');
    const made = (await world().api('GET', '/projects/open%2Finner%2Fsecond')) as { readonly visibility: string };
    assert.equal(made.visibility, 'public');
    await assert.rejects(world().api('GET', '/projects/open%2Finner%2Fsecond/error_tracking/settings'), /404/);
  });

  it('is private and takes events at once where no group says anything, or another visibility is chosen', async () => {
    const page = await world().page();
    await page.goto('/');
    await page.getByRole('button', { name: 'New project' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.getByLabel('Group').fill('open');
    await sees(page, 'Projects of this group begin without error tracking.');
    await form.getByRole('radio', { name: 'Private' }).check();
    await form.getByLabel('Group').fill('plain');
    await form.getByLabel('Group').fill('open');
    assert.equal(await form.getByRole('radio', { name: 'Private' }).isChecked(), true);
    await form.getByLabel('Group').fill('plain');
    assert.equal(await page.getByText('begin without error tracking').count(), 0);
    await form.getByLabel('Name').fill('Third');
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL('**/plain/third/-/error_tracking/setup');
    const settings = await world().api('GET', '/projects/plain%2Fthird/error_tracking/settings');
    assert.equal((settings as { readonly active: boolean }).active, true);
  });
});
