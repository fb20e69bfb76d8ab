import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { describeWithOwnService, pass, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Milliseconds after which the page of the administrator asks again. */
const LOOK_MS = 5000;
const KEYS = '/projects/demo%2Fshop/error_tracking/client_keys';

/** Answers the status of a request with this key, and with nothing in it, to the project of this number. */
async function send({ target }: BrowserWorld, key: string, project: string | number): Promise<number> {
  const answer = await fetch(`${target.url}/errortracking/api/v1/projects/api/${project}/envelope/?sentry_key=${key}`, {
    method: 'POST',
    body: '{}',
  });
  return answer.status;
}

describeWithOwnService('rejected requests', (world) => {
  const key = () => new URL(world().target.dsn).username;

  it('are listed on the health page of administrators, without keys', async () => {
    const page = await world().page({ clock: true });
    await page.goto('/admin/health');
    const card = page.getByRole('region', { name: 'Rejected requests' });
    await card.getByText('none so far').waitFor();
    await assertAccessible(page);
    for (const wrong of ['glet_nobodys', 'glet_nobodys_either']) assert.equal(await send(world(), wrong, 1), 403);
    assert.equal(await send(world(), key(), 4711), 403);
    assert.equal(await send(world(), key(), 'no.id'), 404);
    await pass(page, LOOK_MS);
    const row = (reason: string) => card.getByRole('row').filter({ hasText: reason });
    await row('unknown_key').getByRole('cell', { name: '2', exact: true }).waitFor();
    await row('The client key and the address belong to different projects')
      .getByText('4711 (does not exist)')
      .waitFor();
    await row('The project in the address does not exist').getByText('Copy the DSN again').waitFor();
    assert.doesNotMatch(await card.innerText(), /glet_/);
    await card.scrollIntoViewIfNeeded();
    await sees(page, 'Unknown client key');
    await assertLooks(page, 'refused');
  });

  it('are reported to maintainers while they wait for the first event', async () => {
    await world().person('dora', 30);
    for (const { id } of (await world().api('GET', KEYS)) as { id: number }[]) {
      await world().api('PUT', `${KEYS}/${id}`, { active: false });
    }
    // Keys that may send are known for two seconds.
    await eventually(
      () => send(world(), key(), 1),
      (status) => status === 403,
    );
    const page = await world().page();
    await page.goto(world().list);
    await sees(page, 'Waiting for the first event');
    await page.getByRole('status').getByText('The client key is disabled (1 time)').waitFor();
    await page
      .getByRole('status')
      .getByText(/2 requests for this project used an\s+unknown client key, most recently .*Copy the DSN again/)
      .waitFor();
    await assertLooks(page, 'waiting-refused');
    await page.getByRole('link', { name: 'See the usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await sees(page, 'inactive_key');
    await sees(page, /2 requests for this project used an\s+unknown client key/);
    await shoot(page, 'outcomes-wrong-dsn');
    await assertAccessible(page);
    await page.goto('/admin/outcomes');
    await sees(page, 'An application uses a wrong DSN');
    await page.goto('/admin/health');
    await page
      .getByRole('row', { name: /inactive_key/ })
      .getByRole('link', { name: 'demo/shop' })
      .click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await sees(page, 'An application uses a wrong DSN');

    const developers = await world().page({ as: 'dora' });
    await developers.goto(world().list);
    await sees(developers, 'Ask one of them for it');
    assert.equal(await developers.getByText('The client key is disabled').count(), 0);
    assert.equal(await developers.getByText('wrong DSN').count(), 0);
  });
});
