import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

const TOOLS = ['sentry-cli', 'sentry', 'Vite', 'webpack', 'Rollup', 'esbuild', 'Gradle (Android)', 'R8 mapping'];
const TOKENS = '/projects/demo%2Fshop/access_tokens';

const card = (page: DomPage) => page.getByRole('region', { name: 'Source maps' });

/** What a person copies for a tool: the environment, and the lines. */
async function linesFor(page: DomPage, tool: string): Promise<string> {
  await card(page).getByRole('tab', { name: tool, exact: true }).click();
  const parts = ['Environment', 'Lines'].map((name) => card(page).getByRole('group', { name }).textContent());
  return (await Promise.all(parts)).join('\n');
}

describeInDom('source maps on the set-up page', (world) => {
  const address = () => `${world().list}/setup`;

  it('has the lines for each tool with address, organization and project', async () => {
    const page = await world().page();
    await page.goto(address());
    await card(page).getByRole('tab', { name: 'sentry-cli' }).waitFor();
    for (const tool of TOOLS) {
      const lines = await linesFor(page, tool);
      for (const text of [world().url, 'demo', 'shop', "SENTRY_AUTH_TOKEN='token'"]) {
        assert.ok(lines.includes(text), `${tool}: ${text}: ${lines}`);
      }
    }
    assert.equal(await card(page).getByText('reverse proxy').count(), 0);
    await assertAccessible(page);
    await page.reload();
    await card(page).locator('[role="tab"][aria-selected="true"]', { hasText: 'R8 mapping' }).waitFor();
  });

  it('makes a token, shows it once, and writes it into the lines; a revoked one stops working', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'No tokens.');
    await card(page).getByRole('button', { name: 'Create a token' }).click();
    await sees(page, 'Copy it now: it is not shown again.');
    const token = await card(page).locator('.copy-line code').textContent();
    assert.match(token, /^sntrys_/);
    assert.ok((await linesFor(page, 'Vite')).includes(token));
    const organizations = () =>
      fetch(`${world().url}/api/0/organizations/`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await organizations()).status, 200);
    await assertAccessible(page);
    await page.reload();
    await card(page).getByText('Build, 2').waitFor();
    assert.ok(!(await page.content()).includes(token), 'it is shown once');
    assert.ok((await linesFor(page, 'Vite')).includes("SENTRY_AUTH_TOKEN='token'"));
    await card(page)
      .getByRole('button', { name: /^Revoke Build, / })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this token?' });
    await dialog.getByText('Builds that use').waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await sees(page, 'The token was revoked');
    await sees(page, 'No tokens.');
    const tokens = (await world().api('GET', TOKENS)) as { revoked: boolean; scopes: string[] }[];
    assert.deepEqual(
      tokens.map(({ revoked, scopes }) => [revoked, scopes]),
      [[true, ['ci']]],
    );
  });

  it('does not show a new token any longer once it was revoked', async () => {
    const page = await world().page();
    await page.goto(address());
    await card(page).getByRole('button', { name: 'Create a token' }).click();
    await sees(page, 'Copy it now: it is not shown again.');
    await card(page)
      .getByRole('button', { name: /^Revoke Build, / })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await sees(page, 'No tokens.');
    assert.equal(await page.getByText('Copy it now').count(), 0);
  });

  it('says why a token could not be made', async () => {
    const page = await world().page({ expected: /500/ });
    await page.goto(address());
    await page.route('**/access_tokens', (route) =>
      route.fulfill({ status: 500, json: { message: 'the store failed' } }),
    );
    await card(page).getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('alert').filter({ hasText: 'the store failed' }).waitFor();
  });

  it('has the lines, but no tokens, for those who are not maintainers', async () => {
    await world().person('dev', 30);
    const page = await world().page({ as: 'dev' });
    await page.goto(address());
    await sees(page, 'Ask one of them for one.');
    assert.ok((await linesFor(page, 'sentry-cli')).includes("SENTRY_AUTH_TOKEN='token from a maintainer'"));
    assert.equal(await page.getByRole('button', { name: 'Create a token' }).count(), 0);
    assert.equal(await page.getByText('Tokens of builds').count(), 0);
  });
});
