import assert from 'node:assert/strict';
import { describeInDom, sees } from '../support/dom.ts';

describeInDom('the pages around the errors', (world) => {
  it('under /admin are shown to administrators only', async () => {
    await world().person('emil');
    const page = await world().page({ as: 'emil' });
    await page.goto('/');
    await sees(page, 'No projects yet');
    assert.equal(await page.getByRole('button', { name: 'New project' }).count(), 0);
    for (const path of ['/admin/users', '/admin/projects', '/admin/outcomes', '/admin/health']) {
      await page.goto(path);
      await sees(page, 'Administrators only');
    }
  });
});
