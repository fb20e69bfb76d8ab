import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

const PATH = '/demo/shop/-/settings/operations';
const SECTIONS = [
  'Error tracking',
  'Client keys',
  'Source code and issues',
  'Errors follow GitLab issues',
  'Scrubbing and limits',
  'Dropped errors',
  'Forwarding',
  'Export',
  'Project',
];

describeInBrowser('the sections of the settings page', (world) => {
  it('are listed, and each is reached by its address, with the focus', async () => {
    const page = await world().page();
    await page.goto(`${PATH}#scrubbing-and-limits`);
    const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
    await eventually(focused, (id) => id === 'scrubbing-and-limits');
    const list = page.getByRole('navigation', { name: 'Sections of this page' });
    await eventually(
      () => list.getByRole('link').allInnerTexts(),
      (names) => names.join() === SECTIONS.join(),
    );
    await list.getByRole('link', { name: 'Project', exact: true }).press('Enter');
    await eventually(focused, (id) => id === 'project');
    assert.equal(new URL(page.url()).hash, '#project');
    await page.goBack();
    await eventually(focused, (id) => id === 'scrubbing-and-limits');
    await assertAccessible(page);
    for (const width of [1440, 1024, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await assertFits(page);
      await list.getByRole('link', { name: 'Client keys' }).click();
      await eventually(
        () => list.locator('[aria-current]').innerText(),
        (name) => name === 'Client keys',
      );
      const [top, bar] = await Promise.all([
        page.getByRole('heading', { name: 'Client keys' }).boundingBox(),
        list.boundingBox(),
      ]);
      assert.ok(top && bar, 'both are in sight');
      if (width <= 1180) assert.ok(top.y >= bar.y + bar.height - 1, `not below the list at ${width}`);
      assert.ok(bar.y >= 0 && bar.y < 844, `the list stays at ${width}`);
      await shoot(page, `settings-sections-${width}`);
    }
  });
});
