import assert from 'node:assert/strict';
import { sendEvent } from '../support/browser-seed.ts';
import { makeBundle, minifiedPair, sha1 } from '../support/build-tools.ts';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';
import { uploadBundle } from '../support/upload-bundle.ts';

const id = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;
const LOST = {
  ...{ path: 'files/_/_/lost.js', type: 'minified_source', url: '~/lost.js', content: 'throw 1' },
  headers: { 'debug-id': id('9') },
};
const FIRST = makeBundle([...minifiedPair(id('1')), LOST]);
const SECOND = makeBundle(minifiedPair(id('2')));
const ARTIFACTS = '**/error_tracking/artifacts?**';

const rows = (page: DomPage) => page.locator('main tbody tr');

/** Sends what is in the field of the search. */
async function search(page: DomPage, text: string): Promise<void> {
  await page.getByLabel('Search uploads').fill(text);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}

describeInDom('the uploads page', (world) => {
  const address = (query = '') => `${world().list}/uploads${query}`;

  it('shows the lines to run until there is an upload', async () => {
    await world().person('rea', 20);
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'No uploads yet');
    const lines = await page.getByRole('group', { name: 'Commands' }).textContent();
    assert.match(lines, /SENTRY_ORG='demo'/);
    assert.ok(lines.includes(`SENTRY_URL='${world().url}'`), lines);
    assert.match(lines, /sentry-cli sourcemaps upload/);
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Make a token, and see other tools' }).click();
    await sees(page, 'Set up an application');
    const reporter = await world().page({ as: 'rea' });
    await reporter.goto(address());
    await sees(reporter, 'Ask a maintainer of this project for a token.');
  });

  it('is where the reason leads that frames of builds have until there is an upload', async () => {
    const script = 'https://shop.example/assets/cart.js';
    const frames = [{ filename: script, function: 't', lineno: 1, colno: 409, in_app: true }];
    await sendEvent(world().target, {
      ...{ platform: 'javascript', timestamp: Date.now() / 1000 },
      debug_meta: { images: [{ type: 'sourcemap', code_file: script, debug_id: id('7') }] },
      exception: { values: [{ type: 'TypeError', value: 'no cost', stacktrace: { frames } }] },
    });
    const [error] = await eventually(
      async () =>
        (await world().api('GET', '/projects/demo%2Fshop/error_tracking/errors')) as readonly { readonly id: string }[],
      (all) => all.length > 0,
    );
    const page = await world().page();
    await page.goto(`${world().list}/${error?.id ?? ''}/details`);
    const reason = page.locator('.note', { hasText: 'Not mapped' });
    await sees(page, `Not mapped: no map for debug id ${id('7')}; the project has no uploads.`);
    await reason.getByRole('link', { name: 'Uploads' }).click();
    await sees(page, 'No uploads yet');
  });

  it('lists what was uploaded, whether it was used, and what cannot be mapped', async () => {
    await uploadBundle(world().service, FIRST, { version: 'shop@1.0.0', dist: 'eu' });
    await uploadBundle(world().service, SECOND);
    const page = await world().page();
    await page.goto(address());
    await sees(page, '2 uploads, newest first.');
    const [newest, oldest] = await rows(page).allInnerTexts();
    for (const text of ['No release: found by debug ids', 'Source maps', '2 files', '1 debug id', 'Never used']) {
      assert.ok(newest?.includes(text), `${text}: ${newest ?? ''}`);
    }
    for (const text of ['shop@1.0.0', 'dist eu', '3 files', '2 debug ids', 'Never used']) {
      assert.ok(oldest?.includes(text), `${text}: ${oldest ?? ''}`);
    }
    assert.ok(oldest?.includes('Not mapped: ~/lost.js: its source map is not in the upload.'), oldest ?? '');
    await sees(page, /KiB of 5\.0 GiB in 2 uploads/);
    await sees(page, 'Uploads that mapped no frame for 90 days are removed.');
    await assertAccessible(page);
    const link = page.getByRole('link', { name: 'Uploads' });
    assert.equal(await link.getAttribute('aria-current'), 'page');
  });

  it('finds uploads by release and by debug id, in an address that can be shared', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, '2 uploads, newest first.');
    await search(page, id('2').toUpperCase());
    await page.waitForURL(/\?search=85350B67/);
    await sees(page, '1 upload like');
    assert.equal(await rows(page).count(), 1);
    await page.getByRole('button', { name: `Copy ${id('2')}` }).waitFor();
    await search(page, 'SHOP@');
    await rows(page).getByText('shop@1.0.0').waitFor();
    assert.equal(await rows(page).count(), 1);
    await search(page, 'nothing like it');
    await sees(page, 'No matching uploads');
    await page.getByRole('button', { name: 'All uploads', exact: true }).click();
    await sees(page, '2 uploads, newest first.');

    await page.goto(address(`?release=shop%401.0.0&search=${id('2')}`));
    await sees(page, 'No upload for the release “shop@1.0.0” has a release, dist or debug id like');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Search all releases' }).click();
    await sees(page, '1 upload like');
    await page.goto(address(`?release=shop%401.0.0&search=${id('2')}`));
    await page.getByRole('button', { name: 'All uploads of the release' }).click();
    await sees(page, '1 upload for the release “shop@1.0.0”, newest first.');
    await page.goto(address('?release=other'));
    await sees(page, 'No upload is for the release “other”.');
  });

  it('leads to the pages before and after, and from one that is not there to the first', async () => {
    const page = await world().page();
    const asked: string[] = [];
    await page.route(ARTIFACTS, async (route) => {
      const wanted = new URL(route.request.url).searchParams.get('page') ?? '';
      asked.push(wanted);
      const response = await route.fetch();
      const headers = {
        'X-Total': '22',
        'X-Next-Page': wanted === '1' ? '2' : '',
        'X-Prev-Page': wanted === '2' ? '1' : '',
      };
      return route.fulfill(wanted === '7' ? { response, json: [], headers } : { response, headers });
    });
    await page.goto(address());
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/\?page=2$/);
    await page.getByRole('button', { name: 'Prev' }).waitFor();
    await page.goto(address('?page=7'));
    await page.waitForURL((url) => url.search === '');
    await sees(page, '22 uploads');
    assert.deepEqual(asked.slice(0, 2), ['1', '2']);
  });

  it('says that uploads could not be read, and reads them again', async () => {
    const page = await world().page({ expected: /500/ });
    await page.route(ARTIFACTS, (route) => route.fulfill({ status: 500, json: { message: 'the store failed' } }));
    await page.goto(address());
    await sees(page, 'Something went wrong');
    await page.unroute(ARTIFACTS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await sees(page, '2 uploads, newest first.');
  });

  it('offers removal to maintainers alone', async () => {
    const page = await world().page({ as: 'rea' });
    await page.goto(address());
    await sees(page, '2 uploads, newest first.');
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0);
  });

  it('removes an upload once that was confirmed', async () => {
    const page = await world().page({ expected: /500/ });
    await page.goto(address());
    const remove = page.getByRole('button', { name: `Remove shop@1.0.0, upload ${sha1(FIRST).slice(0, 8)}` });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Remove this upload?' });
    await dialog.getByText('Frames of shop@1.0.0 that only this upload maps').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await rows(page).count(), 2);
    await page.route('**/artifacts/*', (route) =>
      route.fulfill({ status: 500, json: { message: 'the store failed' } }),
    );
    await remove.click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'the store failed' }).waitFor();
    await page.unroute('**/artifacts/*');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await sees(page, 'The upload was removed');
    await sees(page, '1 upload, newest first.');
    const left = (await world().api('GET', '/projects/demo%2Fshop/error_tracking/artifacts')) as { id: string }[];
    assert.deepEqual(
      left.map((one) => one.id),
      [sha1(SECOND)],
    );
  });
});
