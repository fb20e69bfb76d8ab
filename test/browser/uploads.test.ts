import assert from 'node:assert/strict';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { makeBundle, minifiedPair } from '../support/build-tools.ts';
import { uploadBundle } from '../support/upload-bundle.ts';
import { itInFullRun } from '../support/full-run.ts';

const id = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;
const LONG_RELEASE = `com.example.storefront.checkout@2026.11.28-rc.1+${'0123456789abcdef'.repeat(4)}`;

/** A file whose map is not in the bundle. */
const lost = (name: string) => ({
  ...{ path: `files/_/_/${name}.js`, type: 'minified_source', url: `~/assets/${name}.js`, content: 'throw 1' },
  headers: { 'debug-id': id('9') },
});

describeInBrowser('the uploads page', (world) => {
  const address = () => `${world().list}/uploads`;

  it('looks well until there is an upload', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'No uploads yet');
    await assertLooks(page, 'uploads/empty');
  });

  itInFullRun('looks well with uploads of any length, and works with the keyboard alone', async () => {
    const { service } = world();
    const lostFiles = ['index-BvYxf9r-', 'cart-zUTjjcmR'].map(lost);
    await uploadBundle(service, makeBundle(minifiedPair(id('1'))), { version: 'shop@1.0.0', dist: 'eu' });
    await uploadBundle(service, makeBundle([...minifiedPair(id('2')), ...lostFiles]), { version: LONG_RELEASE });
    await uploadBundle(service, makeBundle(minifiedPair(id('3'))));
    const page = await world().page();
    await page.goto(address());
    await sees(page, '3 uploads, newest first.');
    await assertLooks(page, 'uploads/list');

    await page.getByLabel('Search uploads').focus();
    await page.keyboard.type(id('2'));
    await page.keyboard.press('Enter');
    await sees(page, '1 upload like');
    await page.getByRole('button', { name: `Copy ${id('2')}` }).waitFor();
    await assertLooks(page, 'uploads/found');
    const remove = page.getByRole('button', { name: /^Remove com\.example/ });
    await remove.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove this upload?' });
    await dialog.waitFor();
    await assertLooks(page, 'uploads/remove');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await remove.evaluate((element) => element === document.activeElement));
  });
});
