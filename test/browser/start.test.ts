import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeWithOwnService, LOOKS, sees, shoot } from '../support/browser.ts';
import { shiftOf, watchShifts } from '../support/layout-shift.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface Key {
  readonly thirdparty_dsn: string;
}

describeWithOwnService('the start page', (world) => {
  const settingsOf = (path: string) => `/projects/${encodeURIComponent(path)}/error_tracking/settings`;

  before(async () => {
    for (const path of ['acme/web', 'acme/empty', 'acme/linked']) {
      await world().api('POST', '/projects', { path });
      await world().api('PUT', settingsOf(path), { active: true, integrated: true });
    }
    const keys = (await world().api('GET', '/projects/acme%2Fweb/error_tracking/client_keys')) as readonly Key[];
    const web = { url: world().url, dsn: keys[0]?.thirdparty_dsn ?? assert.fail('no key') };
    const now = Date.now() / 1000;
    await sendEvent(web, richEvent(now, { level: 'fatal', fingerprint: ['fatal'] }));
    await sendEvent(world().target, { message: 'quiet', level: 'info', timestamp: now - 100 });
    // Stopping stores what was accepted, and errors are ranked when the service starts. Else every 30 s.
    const startAgain = await world().stop();
    await startAgain();
    await eventually(
      async () => (await world().api('GET', '/error_tracking/errors')) as { readonly errors: readonly unknown[] },
      ({ errors }) => errors.length === 2,
    );
    await world().person('solo');
    await world().api('POST', '/projects/acme%2Fweb/members', { username: 'solo', access_level: 30 });
  });

  it('shows what matters across projects, and the news of each, by mouse and keyboard', async () => {
    const page = await world().page();
    await page.goto('/');
    const stream = page.getByRole('region', { name: 'What matters now' });
    const rows = stream.getByRole('listitem');
    await rows.nth(1).waitFor();
    assert.match(await rows.nth(0).innerText(), /acme\/web[^]*New[^]*Fatal/);
    assert.match(await rows.nth(1).innerText(), /quiet[^]*demo\/shop/);
    const tile = (path: string) =>
      page.getByRole('region', { name: 'Projects', exact: true }).getByRole('listitem').filter({ hasText: path });
    await tile('acme/web').getByRole('link', { name: '1 new today' }).waitFor();
    await tile('acme/web')
      .getByText(/last event/)
      .waitFor();
    await tile('acme/web').getByRole('img', { name: '1 event received in the last 24 hours' }).waitFor();
    await tile('acme/empty').getByText('no events yet').waitFor();
    assert.equal(await page.getByLabel('Search projects').count(), 0);
    assert.equal(await page.getByRole('group', { name: 'Projects' }).count(), 0, 'no favourites yet');

    const star = page.getByRole('button', { name: 'Favourite: acme/empty' });
    await star.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Projects' }).waitFor();
    assert.equal(await star.getAttribute('aria-pressed'), 'true');
    const first = page.getByRole('region', { name: 'Projects', exact: true }).getByRole('listitem').first();
    assert.match(await first.innerText(), /acme\/empty/);
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await sees(page, 'Nothing needs attention');
    assert.match(page.url(), /projects=favourites/);
    await page.reload();
    await sees(page, 'Nothing needs attention');
    await page.getByRole('button', { name: 'All projects' }).click();
    await star.click();
    await page.getByRole('group', { name: 'Projects' }).waitFor({ state: 'detached' });

    await tile('acme/web').getByRole('link', { name: '1 new today' }).click();
    await page.waitForURL(/acme\/web\/-\/error_tracking\?search=is(:|%3A)new/);
    await page.goBack();
    await rows.nth(0).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /PaymentError/, level: 1 }).waitFor();
  });

  itInFullRun('fits both themes, a phone and a narrow window, and does not move while it loads', async () => {
    for (const { suffix, dark, phone } of LOOKS) {
      const page = await world().page({ dark, phone });
      await watchShifts(page);
      await page.goto('/');
      await page.getByRole('region', { name: 'What matters now' }).waitFor();
      const moved = await shiftOf(page);
      assert.ok(moved <= 0.01, `layout shift ${moved}`);
      await shoot(page, `start${suffix}`);
      await assertAccessible(page, true);
      for (const width of phone ? [390, 320] : [1440, 1024, 768]) {
        await page.setViewportSize({ width, height: 850 });
        await assertFits(page);
      }
    }
  });

  it('says that new errors come soon, while they have no place yet', async () => {
    const page = await world().page();
    await page.route('**/api/v4/error_tracking/errors**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), errors: [] } });
    });
    await page.goto('/');
    await sees(page, 'New errors appear here within 30 seconds.');
    assert.equal(await page.getByText('Nothing needs attention').count(), 0);
    await page.goto('/?projects=favourites');
    await sees(page, 'No favourites yet');
  });

  it('leads to the list of the only project; administrators stay', async () => {
    const page = await world().page({ as: 'solo' });
    await page.goto('/');
    await page.waitForURL('**/acme/web/-/error_tracking');
    await page.getByRole('link', { name: /PaymentError/ }).waitFor();
  });

  it('says which tracker does not answer, and shows the rest', async () => {
    await world().api('PUT', '/projects/acme%2Flinked/error_tracking/settings', { active: false, integrated: true });
    const page = await world().page();
    await page.route('**/api/v4/error_tracking/errors**', async (route) => {
      const response = await route.fetch();
      const missing = [
        {
          project: { id: 9, name: 'linked', path_with_namespace: 'acme/linked' },
          reason: 'The tracker did not answer in time.',
        },
      ];
      await route.fulfill({ response, json: { ...((await response.json()) as object), missing, left_out: 3 } });
    });
    await page.goto('/');
    await sees(page, 'Without acme/linked: The tracker did not answer in time.');
    await sees(page, '3 projects not included: only favourites and the newest 100 are.');
    await assertAccessible(page);
  });

  it('claims nothing about projects whose errors it does not read', async () => {
    for (const name of ['guest', 'both']) await world().person(name);
    for (const path of ['acme/web', 'acme/empty']) {
      const members = `/projects/${encodeURIComponent(path)}/members`;
      await world().api('POST', members, { username: 'guest', access_level: 10 });
      await world().api('POST', members, { username: 'both', access_level: path === 'acme/web' ? 10 : 20 });
    }
    const guest = await world().page({ as: 'guest' });
    await guest.goto('/');
    await sees(guest, 'You need the Reporter role to see errors');
    assert.equal(await guest.getByText('Nothing needs attention').count(), 0);
    await assertLooks(guest, 'start-guest');
    const page = await world().page({ as: 'both' });
    await page.goto('/');
    await sees(page, 'No unresolved errors in 1 of your 2 projects.');
    await sees(page, 'Not included: 1 project where you have the Guest role.');
    await world().api('PUT', settingsOf('acme/empty'), { active: false, integrated: true });
    await page.reload();
    await sees(page, 'No errors to show');
    await world().api('PUT', settingsOf('acme/empty'), { active: true, integrated: true });
  });

  it('offers a search above 8 projects', async () => {
    for (let index = 0; index < 6; index += 1) await world().api('POST', '/projects', { path: `many/p${index}` });
    const page = await world().page();
    await page.goto('/');
    await page.getByLabel('Search projects').fill('many p3');
    await page.getByRole('link', { name: 'many/p3' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'demo/shop' }).count(), 0);
    await page.getByLabel('Search projects').fill('nothing like it');
    await sees(page, 'No projects found');
  });
});
