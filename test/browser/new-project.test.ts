import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { shiftOf, watchShifts } from '../support/layout-shift.ts';
import { eventually } from '../support/service-process.ts';

/** Maximum layout shift of the page of a project that does not exist. */
const MAX_SHIFT = 0.01;

/** Ends after the next frame is drawn. The clock of the page stops `requestAnimationFrame`, and not this. */
const NEXT_FRAME = 'new Promise((done) => new IntersectionObserver(() => done(null)).observe(document.body))';

async function openForm(page: Page, path = '/') {
  await page.goto(path);
  await page.getByRole('button', { name: 'New project' }).click();
  const form = page.getByRole('dialog', { name: 'New project' });
  await form.waitFor();
  return form;
}

describeInBrowser('a new project', (world) => {
  it('is named, is active, and leads to its set-up page with its DSN', async () => {
    const page = await world().page();
    const form = await openForm(page);
    assert.deepEqual(await form.locator('.field label').allInnerTexts(), ['Name', 'Group', 'Path']);
    await form.getByLabel('Name').fill('Café Billing 2');
    assert.equal(await form.getByLabel('Path').inputValue(), 'cafe-billing-2');
    // The one group that there is, once it is known.
    await eventually(
      () => form.getByLabel('Group').inputValue(),
      (group) => group === 'demo',
    );
    await form.getByLabel('Group').fill('');
    await form.getByText('Used in URLs, after the group.').waitFor();
    assert.equal(await form.locator('code').count(), 0, 'no address that would not be so');
    await form.getByLabel('Group').fill('demo');
    await form.getByText('/demo/cafe-billing-2').waitFor();
    await form.getByText(/Used in URLs:/).waitFor();
    await form.getByText('Visible to members only.').waitFor();
    await shoot(page, 'new-project/filled');
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Set up an application', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/demo/cafe-billing-2/-/error_tracking/setup');
    const keys = await world().api('GET', '/projects/demo%2Fcafe-billing-2/error_tracking/client_keys');
    const [key] = keys as { readonly thirdparty_dsn: string }[];
    await page
      .getByText(key?.thirdparty_dsn ?? assert.fail('no client key'))
      .first()
      .waitFor();
    assert.equal(await page.getByText('Error tracking is not enabled').count(), 0);
    const settings = await world().api('GET', '/projects/demo%2Fcafe-billing-2/error_tracking/settings');
    const { active, integrated } = settings as { readonly active: boolean; readonly integrated: boolean };
    assert.deepEqual({ active, integrated }, { active: true, integrated: true });
    await assertAccessible(page);
  });

  it('keeps its own path when the name changes later', async () => {
    const page = await world().page({ dark: true });
    const form = await openForm(page, '/admin/projects');
    await form.getByLabel('Path').fill('pay');
    await form.getByLabel('Name').fill('Payments');
    await form.getByLabel('Group').fill('shop/backend');
    await form.getByRole('radio', { name: 'Public' }).check();
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL('**/shop/backend/pay/-/error_tracking/setup');
    const project = await world().api('GET', '/projects/shop%2Fbackend%2Fpay');
    const { name, visibility } = project as { readonly name: string; readonly visibility: string };
    assert.deepEqual({ name, visibility }, { name: 'Payments', visibility: 'public' });
  });

  it('shows each problem at its field, in the words of the form', async () => {
    await world().api('POST', '/projects', { path: 'demo/taken' });
    const page = await world().page();
    const form = await openForm(page);
    await form.getByLabel('Group').fill('demo');
    const send = () => form.getByRole('button', { name: 'Create project' }).click();
    const says = async (label: string, words: RegExp) => {
      const field = form.getByLabel(label);
      await form.getByText(words).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      const [problem = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
      assert.match(await form.locator(`[id="${problem}"]`).innerText(), words);
      assert.equal(await page.evaluate('document.activeElement.id'), await field.getAttribute('id'));
      assert.doesNotMatch(await form.innerText(), /namespace|parameter|is invalid/);
    };
    await send();
    await says('Name', /Enter a name/);
    await form.getByLabel('Name').fill('\u6599\u91d1');
    await send();
    await says('Path', /Enter a path/);
    await form.getByLabel('Path').fill('a/b');
    await send();
    await says('Path', /the last part only/);
    await form.getByLabel('Path').fill('taken');
    await form.getByLabel('Group').fill('my group');
    await send();
    await says('Group', /Use letters, digits/);
    await shoot(page, 'new-project/wrong');
    await assertAccessible(page);
    await form.getByLabel('Group').fill('api');
    await send();
    await says('Group', /must not be one of/);
    await form.getByLabel('Group').fill('demo');
    await send();
    await says('Path', /already exists/);
    await form.getByLabel('Path').fill('free');
    await send();
    await page.waitForURL('**/demo/free/-/error_tracking/setup');
  });

  it('has no settings before they are saved, when made through the REST API', async () => {
    await world().api('POST', '/projects', { path: 'demo/bare' });
    await assert.rejects(world().api('GET', '/projects/demo%2Fbare/error_tracking/settings'), /answered 404/);
  });
});

describeInBrowser('an unknown address', (world) => {
  async function isBare(page: Page): Promise<void> {
    assert.equal(await page.getByRole('navigation').count(), 0);
    assert.equal(await page.getByRole('combobox').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Resolved' }).count(), 0);
    assert.equal(await page.title(), 'Not found · errgate');
    await assertAccessible(page);
  }

  it('offers a link to the projects only, and no menu of a project', async () => {
    await world().person('nora');
    const page = await world().page({ as: 'nora' });
    for (const path of ['/no/such/page', '/acme/nope/-/error_tracking', '/acme/nope/-/settings/operations']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Project not found', level: 1 }).waitFor();
      await isBare(page);
      assert.equal(await page.getByRole('button', { name: 'Create it' }).count(), 0);
    }
    for (const path of ['/demo/shop/-/nothing/here', '/nowhere']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
      await isBare(page);
    }
    await page.getByRole('link', { name: 'Go to your projects' }).click();
    await sees(page, 'No projects yet');
    await page.getByRole('navigation').waitFor();
  });

  it('draws nothing of a project before its answer, so that nothing moves', async () => {
    await world().person('nora');
    for (const width of [1024, 768]) {
      const page = await world().page({ as: 'nora', clock: true });
      // However slow the machine is: no time limit of the page runs out.
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.setViewportSize({ width, height: 900 });
      await watchShifts(page);
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/projects\/acme%2Fnope$/, async (route) => {
        await released;
        await route.continue();
      });
      const role = page.waitForResponse((response) => response.url().includes('/members/'));
      await page.goto('/acme/nope/-/error_tracking', { waitUntil: 'commit' });
      await (await role).finished();
      for (let frame = 0; frame < 2; frame += 1) await page.evaluate(NEXT_FRAME);
      assert.equal(await page.locator('main').getByRole('heading').count(), 0);
      release();
      await page.getByRole('heading', { name: 'Project not found' }).waitFor();
      await page.clock.resume();
      const shift = await shiftOf(page);
      assert.ok(shift <= MAX_SHIFT, `layout shift ${shift} at ${width}`);
    }
  });

  it('lets administrators create the project', async () => {
    const page = await world().page();
    const path = '/acme/nope';
    await page.goto(`${path}/-/error_tracking/releases`);
    await page.getByRole('heading', { name: 'Project not found' }).waitFor();
    await isBare(page);
    await assertLooks(page, 'not-found');
    await page.getByRole('button', { name: 'Create it' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    assert.equal(await form.getByLabel('Group').inputValue(), 'acme');
    assert.equal(await form.getByLabel('Path').inputValue(), 'nope');
    await shoot(page, 'new-project/from-not-found');
    await form.getByLabel('Name').fill('Nope');
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Set up an application' }).waitFor();
    await page.getByRole('navigation').waitFor();
    assert.equal(await page.title(), 'Set-up · acme/nope · errgate');
  });

  it('offers no project where none can be created', async () => {
    const page = await world().page();
    await page.goto('/acme/no%20pe/-/error_tracking');
    await page.getByRole('heading', { name: 'Project not found' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create it' }).count(), 0);
  });
});
