import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

const EVENTS = '**/audit_events?**';
const rows = (page: DomPage) => page.locator('main tbody tr');

describeInDom('the audit log', (world) => {
  const path = () => `/projects/${world().service.first.project_id}`;
  const address = (query = '') => `/${world().service.first.project_path}/-/audit_events${query}`;

  before(async () => {
    await world().person('olga', 50);
    await world().person('mia', 40);
    await world().api('PUT', path(), { name: 'A shop' });
    await world().api('PUT', path(), { visibility: 'public' });
  });

  it('shows owners who changed what, with the values before and after', async () => {
    const page = await world().page({ as: 'olga' });
    await page.goto(address());
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
    const [newest, before] = await rows(page).allInnerTexts();
    for (const text of ['Project changed', 'visibility', 'private', 'public', world().service.first.username, 'Done']) {
      assert.ok(newest?.includes(text), `${text}: ${newest ?? ''}`);
    }
    assert.ok(before?.includes('A shop'), before ?? '');
    await assertAccessible(page);
    const link = page.getByRole('link', { name: 'Audit log' });
    assert.equal(await link.getAttribute('aria-current'), 'page');
  });

  it('is filtered, in an address that can be shared, and leads to the same as a file', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByLabel('Event').selectOption({ label: 'Member added' });
    await page.waitForURL(/\?event=member_added$/);
    await sees(page, 'Member olga');
    assert.equal(await rows(page).count(), 2);
    await page.getByLabel('User').selectOption({ label: 'olga' });
    await sees(page, 'No matching events');
    await page.getByRole('button', { name: 'All events' }).click();
    await sees(page, 'Project changed');
    await page.getByLabel('Outcome').selectOption({ label: 'Refused' });
    await sees(page, 'No matching events');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await sees(page, 'Project changed');
    await page.goto(address('?event=project_changed&outcome=done&from=2026-01-01&until=2199-01-01'));
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
    const file = new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '', world().url);
    assert.match(file.pathname, /\/api\/v4\/projects\/[^/]+\/audit_events\.csv$/);
    assert.deepEqual([...file.searchParams.keys()].sort(), ['bom', 'created_after', 'created_before', 'event_name', 'outcome']); // prettier-ignore
    await page.goto(address('?event=nothing&outcome=x&author=me&from=then&until=2026-99-99'));
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
    await assertAccessible(page);
  });

  it('shows hostile names as text, what was refused and why, and what was left out', async () => {
    const page = await world().page();
    const details = {
      ...{ author_name: '<b>mallory</b>\u202e', ip_address: '192.0.2.7', entity_path: 'demo/shop' },
      ...{ target_type: 'Route', target_id: null, target_details: 'updateProject', changes: [], code: 'forbidden' },
    };
    const event = { author_id: -1, entity_id: 1, entity_type: 'Project', event_name: 'access_refused' };
    const at = '2026-11-28T10:00:00Z';
    await page.route(EVENTS, (route) =>
      route.fulfill({
        json: [
          { ...event, id: 2, created_at: at, details: { ...details, outcome: 'refused', left_out: 41 } },
          { ...event, id: 1, created_at: at, details: { ...details, outcome: 'started', token_id: 7 } },
        ],
        headers: { Link: `<${world().url}/api/v4/x?cursor=older>; rel="next"` },
      }),
    );
    await page.goto(address());
    for (const text of ['<b>mallory</b>‹U+202E›', '192.0.2.7', '41 refusals in a minute', 'Refused', 'token 7']) {
      await sees(page, text);
    }
    await sees(page, 'Outcome unknown');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/\?cursor=older$/);
  });

  it('says that it could not be read, and reads it again', async () => {
    const page = await world().page({ expected: /500/ });
    await page.route(EVENTS, (route) => route.fulfill({ status: 500, json: { message: 'the store failed' } }));
    await page.goto(address());
    await sees(page, 'Something went wrong');
    await page.unroute(EVENTS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
  });

  it('is not for maintainers, whose menu does not have it', async () => {
    const page = await world().page({ as: 'mia' });
    await page.goto(address());
    await sees(page, /see who changed what/);
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  });

  it('of a group is one step from its page, for its owners', async () => {
    const group = (await world().api('POST', '/groups', { name: 'Team', path: 'team' })) as { readonly id: number };
    await world().api('PUT', `/groups/${group.id}`, { description: 'Who does what' });
    const page = await world().page();
    await page.goto('/-/groups/team');
    await page.locator('main').getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL(/\/-\/groups\/team\/-\/audit_events$/);
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
    const [newest, first] = await rows(page).allInnerTexts();
    assert.ok(newest?.includes('Who does what'), newest ?? '');
    assert.ok(first?.includes('Group created'), first ?? '');
    await assertAccessible(page);
    const other = await world().page({ as: 'olga' });
    await other.goto('/-/groups/team/-/audit_events');
    await sees(other, /not found/);
  });

  it('of the instance is for administrators, and says what an event belongs to', async () => {
    const page = await world().page();
    await page.goto('/admin/audit_events?event=project_changed');
    await page.getByRole('region', { name: 'Audit log' }).waitFor();
    const [newest] = await rows(page).allInnerTexts();
    assert.ok(newest?.includes(world().service.first.project_path), newest ?? '');
    await assertAccessible(page);
    const owner = await world().page({ as: 'olga' });
    await owner.goto('/admin/audit_events');
    await sees(owner, 'Administrators only');
  });
});
