import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const RELEASE = 'shop@5.0.0';
const COMMIT = 'c0ffee0000000000000000000000000000000002';
const HOSTILE = 'Round <b>totals</b>\u202e\n\nSigned-off-by: Eve';
const EVENT = {
  platform: 'node',
  exception: {
    values: [
      {
        ...{ type: 'TypeError', value: 'total is null' },
        stacktrace: {
          frames: [
            { filename: 'src/main.js', function: 'start', lineno: 3, in_app: true },
            { filename: 'src/cart.js', function: 'total', lineno: 42, in_app: true },
          ],
        },
      },
    ],
  },
};

/** Sends what a build tool does. */
async function tell(world: BrowserWorld, method: string, path: string, body: object): Promise<void> {
  const { project_path: project, token } = world.service.first;
  const organization = project.split('/')[0] ?? '';
  const answer = await fetch(`${world.url}/api/0/organizations/${organization}/releases/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(answer.status < 300, await answer.text());
}

describeInBrowser('what builds tell of a release', (world) => {
  const base = () => `/projects/${world().service.first.project_id}/error_tracking`;
  const pageOf = async (release: string): Promise<Page> => {
    const page = await world().page();
    await page.goto(`${world().list}/releases/${encodeURIComponent(release)}`);
    await page.getByRole('region', { name: 'Health' }).waitFor();
    return page;
  };
  let errorId = '';

  async function sendSessions(): Promise<void> {
    const { username: key, pathname } = new URL(world().target.dsn);
    const started = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const item = { aggregates: [{ started, exited: 90, crashed: 2 }], attrs: { release: RELEASE } };
    const body = [{}, { type: 'sessions' }, item].map((line) => JSON.stringify(line)).join('\n');
    const project = pathname.split('/').at(-1) ?? '';
    const answer = await fetch(`${world().url}/errortracking/api/v1/projects/api/${project}/envelope/`, {
      method: 'POST',
      headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key}` },
      body,
    });
    assert.equal(answer.status, 200, await answer.text());
  }

  before(async () => {
    const { project_id: id } = world().service.first;
    const url_template = 'https://git.test/acme/shop/-/blob/{ref}/{path}#L{line}';
    await world().api('PUT', `${base()}/links`, {
      repository: { url_template, default_ref: 'main' },
      issue_tracker: null,
    });
    await tell(world(), 'POST', '', { version: RELEASE, projects: [String(id)] });
    const author = { author_name: 'Eve Example', author_email: 'eve@example.test', repository: 'origin' };
    const timestamp = new Date(Date.now() - 7_200_000).toISOString();
    const patch = (path: string) => ({ timestamp, patch_set: [{ path, type: 'M' }] });
    const commits = [
      { id: COMMIT, message: HOSTILE, ...author, ...patch('web/src/cart.js') },
      { id: 'f00dbabe00000000000000000000000000000001', message: 'Write about it', ...author, ...patch('README.md') },
    ];
    await tell(world(), 'PUT', `${RELEASE}/`, { commits, dateReleased: new Date().toISOString() });
    await tell(world(), 'POST', `${RELEASE}/deploys/`, { environment: 'staging', url: 'javascript:alert(1)' });
    const url = 'https://ci.test/deploys/7';
    await tell(world(), 'POST', `${RELEASE}/deploys/`, { environment: 'production', name: 'Deploy 7', url });
  });

  it('is on its page before the first event', async () => {
    const page = await world().page();
    await page.goto(`${world().list}/releases`);
    await page
      .getByRole('region', { name: 'Announced by builds, without events yet' })
      .getByRole('link', { name: RELEASE })
      .click();
    await page.getByRole('region', { name: 'Health' }).waitFor();
    await page.getByRole('region', { name: 'Health' }).getByText('Announced by a build').waitFor();
    const commits = page.getByRole('region', { name: 'Commits' });
    await commits.getByText('Round <b>totals</b>‹U+202E›', { exact: true }).waitFor();
    await commits.getByText('2 commits').waitFor();
    const link = commits.getByRole('link', { name: 'c0ffee0000' });
    assert.equal(await link.getAttribute('href'), `https://git.test/acme/shop/-/commit/${COMMIT}`);
    const deploys = page.getByRole('region', { name: 'Deploys' });
    const production = deploys.getByRole('row').filter({ hasText: 'production' });
    assert.equal(await production.getByRole('link').getAttribute('href'), 'https://ci.test/deploys/7');
    assert.equal(await deploys.getByRole('link').count(), 1, 'only addresses of the web lead anywhere');
    await deploys.getByText('javascript:alert(1)').waitFor();
    await assertAccessible(page);
  });

  it('is marked in charts, in words too', async () => {
    await sendEvent(world().target, { ...EVENT, release: RELEASE });
    const errors = () => world().api('GET', `${base()}/errors?status=all`) as Promise<{ id: string }[]>;
    errorId = (await eventually(errors, (list) => list.length > 0))[0]?.id ?? '';
    const page = await world().page();
    await page.goto(`${world().list}/${errorId}/details`);
    await page.getByText('▲ Deploy', { exact: true }).waitFor();
    const said = page.locator('.sr-only p', { hasText: 'Deploys:' });
    const both = /5\.0\.0 to staging, .*; 5\.0\.0 to production, /;
    assert.match((await said.textContent()) ?? '', both);
    await page.goto(`${world().list}/outcomes`);
    await page.getByText('▲ Deploy', { exact: true }).waitFor();
    assert.match((await page.locator('p.sr-only', { hasText: 'Deploys:' }).textContent()) ?? '', both);
  });

  it('names the commits that may be the cause of an error, and frames lead to its commit', async () => {
    const page = await world().page();
    await page.goto(`${world().list}/${errorId}/details`);
    const card = page.getByRole('region', { name: 'May be caused by' });
    await card.getByText('Round <b>totals</b>‹U+202E›', { exact: true }).waitFor();
    await card.getByText('Eve Example').waitFor();
    await card.getByText('web/src/cart.js').waitFor();
    assert.equal(await card.getByRole('listitem').count(), 1);
    const source = page.getByRole('link', { name: 'Open the source' }).first();
    await source.waitFor();
    await eventually(
      () => source.getAttribute('href'),
      (href) => href === `https://git.test/acme/shop/-/blob/${COMMIT}/src/cart.js#L42`,
    );
    await assertLooks(page, 'details-suspects', { fullPage: true });
    await sendSessions();
    await eventually(
      () => world().api('GET', `${base()}/releases/${RELEASE}`) as Promise<{ sessions: { total: number } }>,
      ({ sessions }) => sessions.total > 0,
    );
    const release = await pageOf(RELEASE);
    await release.getByText('▲ Deploy', { exact: true }).waitFor();
    await assertLooks(release, 'release-builds', { fullPage: true });
  });

  it('says how it comes about where no build told anything', async () => {
    await sendEvent(world().target, { ...EVENT, release: 'shop@4.0.0' });
    await eventually(
      () => world().api('GET', `${base()}/releases`) as Promise<{ release: string }[]>,
      (list) => list.some(({ release }) => release === 'shop@4.0.0'),
    );
    const page = await pageOf('shop@4.0.0');
    await sees(page, 'No commits.');
    await sees(page, 'No deploys.');
    assert.equal(await page.getByText('Announced by a build').count(), 0);
    await assertAccessible(page);
  });
});
