import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { columnSums } from '../support/column-sums.ts';
import { describeWithOwnService, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

interface Outcomes {
  readonly outcomes: readonly { readonly outcome: string; readonly reason: string; readonly quantity: number }[];
}

/** Something stored, something that is no JSON, and what an SDK says it dropped itself. */
async function sendSomeOfEverything({ target }: BrowserWorld): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await sendEvent(target, { message: 'stored', level: 'error' });
  const { username: key, pathname } = new URL(target.dsn);
  const post = (endpoint: string, body: string) =>
    fetch(`${target.url}/errortracking/api/v1/projects/api/${pathname.split('/').at(-1) ?? ''}/${endpoint}/`, {
      method: 'POST',
      headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key}` },
      body,
    });
  assert.equal((await post('store', '{"message": no JSON')).status, 400);
  const report = JSON.stringify({
    timestamp: Date.now() / 1000,
    discarded_events: [{ reason: 'before_send', category: 'error', quantity: 1234 }],
  });
  assert.equal((await post('envelope', `{}\n{"type":"client_report"}\n${report}\n`)).status, 200);
}

describeWithOwnService('what an operator looks at', (world) => {
  before(async () => {
    await sendSomeOfEverything(world());
    await eventually(
      () =>
        world().api(
          'GET',
          '/projects/demo%2Fshop/error_tracking/outcomes?group_by=outcome,reason',
        ) as Promise<Outcomes>,
      ({ outcomes }) =>
        outcomes.some(({ outcome, quantity }) => outcome === 'accepted' && quantity === 3) &&
        ['invalid_json', 'before_send'].every((name) => outcomes.some(({ reason }) => reason === name)),
    );
  });

  it('shows the outcomes of the instance, of one project and of each project', async () => {
    for (const [name, path] of [
      ['outcomes-project', '/demo/shop/-/error_tracking/outcomes'],
      ['outcomes-admin', '/admin/outcomes'],
    ] as const) {
      const page = await world().page();
      await page.goto(path);
      const sum = async (outcome: string) =>
        (await page.locator('.sums > div', { hasText: outcome }).locator('dd').innerText()).trim();
      await sees(page, 'Dropped by before_send of the application');
      assert.equal(await sum('Accepted'), '3');
      assert.equal(await sum('Invalid'), '1');
      assert.match(await sum('Dropped by SDKs'), /^1[,.]2(34|k)|^1[,.]2\s?k/i);
      await page.locator('tr', { hasText: 'Not JSON' }).getByText('invalid_json').waitFor();
      await page.getByRole('region', { name: 'By client key' }).getByRole('row').nth(1).waitFor();
      const chart = page.getByRole('region', { name: 'Over time' });
      await chart.getByText('Show as a table').click();
      assert.deepEqual(await columnSums(chart), [3, 0, 0, 1, 1234]);
      await page.getByRole('button', { name: '7 days' }).focus();
      await page.keyboard.press('Enter');
      await sees(page, 'Per 6 hours');
      assert.match(page.url(), /span=7d/);
      await page.getByRole('button', { name: '30 days' }).click();
      await sees(page, 'Per day (UTC)');
      await page.getByLabel('Kind of data').selectOption('Sessions');
      await sees(page, 'Nothing was sent');
      await page.getByLabel('Kind of data').selectOption('Errors');
      await sees(page, 'Dropped by before_send of the application');
      await assertLooks(page, name);
    }
  });

  it('shows the health of the service', async () => {
    const page = await world().page({ expected: /503/ });
    await page.goto('/admin/health');
    for (const sign of [/^Ingestion: OK/, /^Store: OK/, /^Journal: OK/, /^Quarantine: empty/, /^Alerts: OK/]) {
      await page.getByRole('listitem').filter({ hasText: sign }).waitFor();
    }
    await sees(page, 'Embedded (SQLite)');
    const version = await page.locator('dt', { hasText: 'Node.js' }).locator('+ dd').innerText();
    assert.equal(version.replace(/^v/, ''), process.version.replace(/^v/, ''));
    await page.locator('dt', { hasText: 'Stored events' }).locator('+ dd', { hasText: '3' }).waitFor();
    assert.equal(await page.getByText('needs attention').count(), 0);
    const load = page.getByRole('region', { name: 'Load' });
    await load.getByRole('img', { name: /^Disk: .* free of .*; below .* events are refused$/ }).waitFor();
    await load.getByRole('img', { name: /^Journal: .* of / }).waitFor();
    await load
      .locator('dt', { hasText: 'Accepted events' })
      .locator('+ dd', { hasText: /a minute/ })
      .waitFor();
    assert.equal(await page.getByText('Degraded').count(), 0);
    assert.equal(await page.getByText('Versions differ').count(), 0);
    await page.route('**/api/v4/admin/health', async (route) => {
      const answer = await route.fetch();
      const reason = 'The store cannot be written.';
      const body = (await answer.json()) as { readonly store: { readonly stats: object } };
      const known = { schema_version: 19, known_schema_version: 18 };
      const gateway = (id: string, version: string) => ({
        ...{ gateway_id: id.repeat(32), version, silent_seconds: 2, clock_ahead_seconds: -70 },
      });
      const running = [gateway('a', '0.2.0'), gateway('b', '0.3.0'), gateway('c', '0.3.0')];
      const store = { ...body.store, stats: { ...body.store.stats, ...known } };
      await route.fulfill({ response: answer, json: { ...body, reason, quarantined: 3, store, running } });
    });
    await page.reload();
    await page.getByText('Degraded', { exact: true }).waitFor();
    await sees(page, 'The store cannot be written.');
    await sees(page, '3 records in quarantine');
    await sees(page, /^The store was migrated by a later version: it has schema version 19, .* knows 18\./);
    await sees(page, /^Gateways on this store run different versions: 0\.2\.0 \(1 gateway\), 0\.3\.0 \(2 gateways\)\./);
    const gateways = page.getByRole('region', { name: 'Running gateways' });
    await gateways.getByRole('row', { name: /^aaaaaaaa 0\.2\.0 2 s ago 1 min behind the store$/ }).waitFor();
    await shoot(page, 'health-versions', true);
    await assertAccessible(page);
    await page.route('**/api/v4/**', (route) =>
      route.fulfill({ status: 503, json: { message: 'The store is away.' } }),
    );
    await page.reload();
    await sees(page, 'Temporarily unavailable');
    await shoot(page, 'health-away');
    await assertAccessible(page);
  });

  it('shows the oldest unsent message, failed deliveries and failing destinations', async () => {
    const page = await world().page();
    await page.route('**/api/v4/admin/health', async (route) => {
      const answer = await route.fetch();
      const alerts = { mail: true, oldest_unsent_seconds: 7300, failed: 12, failing: 1 };
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), alerts } });
    });
    await page.goto('/admin/health');
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Alerts: 1 failing/ })
      .waitFor();
    const card = page.getByRole('region', { name: 'Alerts' });
    const said = (name: string) => card.locator('dt', { hasText: name }).locator('+ dd').innerText();
    assert.equal(await said('Mail'), 'Set up');
    assert.equal(await said('Oldest unsent message'), 'Due for 2 h');
    assert.equal(await said('Failed deliveries'), '12');
    assert.equal(await said('Failing destinations'), '1');
    await assertLooks(page, 'health-alerts', { fullPage: true });
  });

  it('lets projects with long paths be chosen on a phone', async () => {
    const path = 'a-long-namespace/with/many/levels/and-a-long-name-of-a-project';
    await world().api('POST', '/projects', { path });
    const phone = await world().page({ phone: true });
    await phone.goto('/admin/outcomes');
    await phone.getByLabel('Project').selectOption(path);
    await sees(phone, 'Nothing was sent');
    await assertFits(phone);
  });

  it('deletes a project only after its path was typed', async () => {
    await world().api('POST', '/projects', { path: 'demo/old' });
    const page = await world().page();
    await page.goto('/admin/projects');
    await page.getByRole('button', { name: 'Delete demo/old' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this project?' });
    const remove = dialog.getByRole('button', { name: 'Delete project' });
    assert.ok(await remove.isDisabled());
    await shoot(page, 'projects-delete');
    await assertAccessible(page);
    await dialog.getByLabel('Type its path to confirm').fill('demo/old');
    await remove.click();
    await page.getByText('demo/old,').waitFor({ state: 'detached' });
    await page.locator('tbody tr', { hasText: 'demo/shop' }).waitFor();
    await page.goto('/demo/old/-/error_tracking');
    await sees(page, 'Project not found');
  });
});
