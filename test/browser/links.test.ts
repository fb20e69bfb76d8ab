import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { startGitlab } from '../support/fake-hosts/gitlab-host.ts';
import type { FakeIssueHost } from '../support/fake-hosts/issue-host.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

const TOKEN = 'glpat-secret-of-the-host';
const PROJECT = 'shop/web';
/** What is beyond the right edge of the page. */
const EVENT = {
  platform: 'python',
  release: 'shop@1.2.3',
  exception: {
    values: [
      {
        ...{ type: 'TypeError', value: 'total is null' },
        stacktrace: {
          frames: [
            { filename: 'lib/base.py', abs_path: '/usr/lib/base.py', function: 'run', lineno: 3, in_app: false },
            { filename: '/app/cart.py', abs_path: '/app/cart.py', function: 'total', lineno: 42, in_app: true },
          ],
        },
      },
    ],
  },
};

describeInBrowser('source code and issues', (world) => {
  let host: FakeIssueHost;
  before(async () => {
    host = await startGitlab({ token: TOKEN, project: PROJECT });
  });
  after(() => host.close());

  const base = () => `/projects/${world().service.first.project_id}/error_tracking`;
  const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Source code and issues' });

  async function givenError(): Promise<string> {
    await sendEvent(world().target, EVENT);
    const errors = () => world().api('GET', `${base()}/errors?status=all`) as Promise<{ id: string }[]>;
    return (await eventually(errors, (list) => list.length > 0))[0]?.id ?? '';
  }

  async function open(page: Page): Promise<Locator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    const card = cardOf(page);
    await card.getByLabel('Repository on').waitFor();
    return card;
  }

  it('are set with a preview for a frame and a test of the token, which is never shown', async () => {
    await givenError();
    // A host that refuses is a 502 of the service, which browsers note.
    const page = await world().page({ expected: /502/ });
    const card = await open(page);
    await card.getByLabel('Repository on').selectOption('GitHub');
    await card.getByLabel('Address of the repository').fill('https://git.test/shop/web.git');
    await card.getByText('/app/cart.py:42').waitFor();
    await card.getByText('leads nowhere').waitFor();
    await card.getByLabel('Tag of a release').fill('v{version}');
    await card.getByRole('button', { name: 'Add a path' }).click();
    await page.keyboard.type('/app/');
    await page.keyboard.press('Tab');
    await page.keyboard.type('src');
    const link = 'https://git.test/shop/web/blob/v1.2.3/src/cart.py#L42';
    await card.getByRole('link', { name: link }).waitFor();

    await card.getByLabel('Issues are on').selectOption('GitLab');
    assert.equal(await card.getByLabel('Address of the host').inputValue(), 'https://gitlab.com');
    await card.getByLabel('Address of the host').fill(host.url);
    await card.getByLabel('Project', { exact: true }).fill(PROJECT);
    const test = card.getByRole('button', { name: 'Test' });
    assert.ok(await test.isDisabled());
    await card.getByLabel('Token').fill('wrong');
    await test.click();
    await card.getByRole('alert').getByText('does not accept the token').waitFor();
    await card.getByLabel('Token').fill(TOKEN);
    await test.click();
    await card.getByRole('status').getByText(`it can see ${PROJECT}`).waitFor();
    assert.deepEqual(host.issues, []);
    await card.getByRole('button', { name: 'Save source code and issues' }).click();
    await sees(page, 'Source code and issues saved');

    const again = await open(page);
    assert.equal(await again.getByLabel('Address of the repository').inputValue(), 'https://git.test/shop/web');
    assert.equal(await again.getByLabel('Token').inputValue(), '');
    await again.getByRole('link', { name: link }).waitFor();
    assert.ok(!(await page.content()).includes(TOKEN));
    await again.getByRole('button', { name: 'Test' }).click();
    await again.getByRole('status').getByText('accepts the token').waitFor();
    await again.scrollIntoViewIfNeeded();
    await assertLooks(page, 'settings-links', { fullPage: true });
    for (const width of [1024, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await assertFits(page, 'settings');
    }
  });

  it('lead from frames to their sources, and make, link and remove issues of an error', async () => {
    const id = await givenError();
    const repository = { url_template: 'https://git.test/blob/{ref}/{path}#L{line}', default_ref: 'main' };
    const tracker = { kind: 'gitlab', api_url: host.url, project: PROJECT, token: TOKEN };
    await world().api('PUT', `${base()}/links`, {
      repository: { ...repository, prefixes: [{ from: '/app', to: '' }] },
      issue_tracker: tracker,
    });
    const page = await world().page();
    await page.goto(`${world().list}/${id}/details`);
    const source = page.getByRole('link', { name: 'Open the source' });
    await source.first().waitFor();
    assert.equal(await source.count(), 1, 'frames of libraries lead nowhere');
    assert.equal(await source.getAttribute('href'), 'https://git.test/blob/main/cart.py#L42');

    const card = page.getByRole('region', { name: 'Issues' });
    await card.getByText('No issue is linked').waitFor();
    await card.getByRole('button', { name: 'New issue' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    const title = dialog.getByLabel('Title').and(page.locator(':focus'));
    assert.match(await title.inputValue(), /TypeError/);
    const cursor = await title.evaluate((field) => (field as HTMLInputElement).selectionStart);
    assert.equal(cursor, 0, 'its beginning is in sight');
    assert.match(await dialog.getByLabel('Description').inputValue(), /total in \/app\/cart\.py:42/);
    await assertAccessible(page);
    await shoot(page, 'error-new-issue');
    await dialog.getByLabel('Title').fill('The cart fails');
    await page.keyboard.press('Enter');
    await card.getByRole('link', { name: 'The cart fails' }).waitFor();
    assert.deepEqual(host.issues.map(({ title }) => title), ['The cart fails']); // prettier-ignore
    assert.match(host.issues[0]?.description ?? '', new RegExp(`${id}/details`));
    await page.getByText('Issue created and linked').waitFor();

    await card.getByRole('button', { name: 'Link an issue that exists' }).press('Enter');
    await page.keyboard.type('javascript:alert(1)');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Link an issue that exists' }).click();
    await card.getByLabel('Address of the issue').fill('https://bugs.test/9');
    await page.keyboard.press('Enter');
    await card.getByRole('link', { name: 'https://bugs.test/9' }).waitFor();
    await card.getByRole('button', { name: 'Remove the link to https://bugs.test/9' }).click();
    await card.getByRole('link', { name: 'https://bugs.test/9' }).waitFor({ state: 'detached' });

    await world().person('reads', 20);
    const reader = await world().page({ as: 'reads' });
    await reader.goto(`${world().list}/${id}/details`);
    const seen = reader.getByRole('region', { name: 'Issues' });
    await seen.getByRole('link', { name: 'The cart fails' }).waitFor();
    assert.equal(await seen.getByRole('button').count(), 0);
    await reader.getByRole('link', { name: 'Open the source' }).waitFor();
    await card.scrollIntoViewIfNeeded();
    // Where the bar at the edge covers half a button depends on the height of the page.
    await page.evaluate('scrollTo(0, 0)');
    await assertLooks(page, 'error-issues');
  });

  it('say what is wrong, and can be removed', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByLabel('Address of the repository').fill('https://user:pw@git.test/shop');
    await page.keyboard.press('Enter');
    await card.getByRole('alert').getByText('url_template is invalid').waitFor();
    await card.getByLabel('Address of the repository').fill('');
    await card.getByLabel('Issues are on').selectOption('Not set');
    await card.getByRole('button', { name: 'Save source code and issues' }).press('Enter');
    await sees(page, 'Source code and issues saved');
    assert.deepEqual(await world().api('GET', `${base()}/links`), { repository: null, issue_tracker: null });
  });
});
