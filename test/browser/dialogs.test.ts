import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { closedGate } from '../support/gate.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? assert.fail('not visible');
}

describeInBrowser('dialogs', (world) => {
  const settings = () => `/${world().service.first.project_path}/-/settings/operations`;

  async function askNewProject(page: Page): Promise<Locator> {
    await page.goto('/');
    await page.getByRole('button', { name: 'New project' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await dialog.waitFor();
    return dialog;
  }

  it('stay open when a text is selected beyond their edge, and close by a click outside', async () => {
    const page = await world().page();
    const dialog = await askNewProject(page);
    const name = dialog.getByLabel('Name');
    await name.fill('Checkout');
    const field = await boxOf(name);
    await page.mouse.move(field.x + 60, field.y + field.height / 2);
    await page.mouse.down();
    await page.mouse.move(20, field.y, { steps: 4 });
    await page.mouse.up();
    assert.equal(await name.inputValue(), 'Checkout');
    await page.mouse.click(20, 20);
    await dialog.waitFor({ state: 'hidden' });
  });

  itInFullRun('keep their buttons in sight where they are higher than the screen', async () => {
    const page = await world().page({ phone: true });
    await page.setViewportSize({ width: 320, height: 480 });
    const dialog = await askNewProject(page);
    for (const name of ['Cancel', 'Create project']) {
      const { y, height } = await boxOf(dialog.getByRole('button', { name }));
      assert.ok(y + height <= 480, `${name} ends at ${y + height}`);
    }
    await dialog.getByRole('radio', { name: 'Public' }).focus();
    const [last, actions] = [dialog.getByRole('radio', { name: 'Public' }), dialog.locator('.dialog-actions')];
    assert.ok((await boxOf(last)).y < (await boxOf(actions)).y, 'the focused field is not covered');
    await assertAccessible(page);
  });

  it('show the whole message of a failure on a small screen', async () => {
    const page = await world().page({ phone: true, expected: /500/ });
    await page.setViewportSize({ width: 320, height: 480 });
    const dialog = await askNewProject(page);
    await dialog.getByLabel('Name').fill('Checkout');
    await dialog.getByLabel('Group').fill('shop');
    const message = 'The store did not answer within ten seconds, because its disk is full. Free some space.';
    await page.route('**/api/v4/projects', (route) => route.fulfill({ status: 500, json: { message } }));
    await page.keyboard.press('Enter');
    await dialog.getByText(message).waitFor();
    // It comes into sight after it is there.
    await eventually(
      async () => {
        const said = await boxOf(dialog.getByText(message));
        const actions = await boxOf(dialog.getByRole('button', { name: 'Create project' }));
        return { begins: said.y, ends: said.y + said.height, actions: actions.y };
      },
      ({ begins, ends, actions }) => begins > 0 && ends <= actions + 1,
    );
  });

  it('report a failure that comes after they were closed', async () => {
    const page = await world().page({ expected: /500/ });
    await page.goto(settings());
    const gate = closedGate();
    await page.route('**/client_keys/*', async (route) => {
      await gate.passed;
      await route.fulfill({ status: 500, json: { message: 'The store did not answer.' } });
    });
    await page.getByRole('button', { name: /^Delete glet_/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this key?' });
    const confirm = dialog.getByRole('button', { name: 'Delete key' });
    await confirm.click();
    await page.locator('dialog[open] [aria-busy="true"]', { hasText: 'Delete key' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    gate.open();
    await sees(page, '“Delete this key?” failed: The store did not answer.');
    // Another key is not asked about with the message of this one.
    await page.getByRole('button', { name: /^Delete glet_/ }).click();
    await confirm.waitFor();
    assert.equal(await dialog.locator('[role=alert]').textContent(), '');
  });

  it('of a deletion begin in the field that confirms it, and Enter confirms', async () => {
    await world().api('POST', '/projects', { path: 'demo/unwanted' });
    const page = await world().page();
    await page.goto('/demo/unwanted/-/settings/operations');
    await page.getByRole('button', { name: 'Delete project' }).click();
    const field = page.getByRole('dialog', { name: 'Delete this project?' }).getByLabel('Type its path to confirm');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('demo/unwanted');
    await page.keyboard.press('Enter');
    await sees(page, 'demo/unwanted was deleted');
  });

  it('give the focus to the button that adds a token once one was created', async () => {
    const page = await world().page();
    await page.goto('/-/profile');
    await page.getByRole('button', { name: 'Add new token' }).press('Enter');
    await page.getByLabel('Token name').fill('Weekly report');
    await page.keyboard.press('Enter');
    await sees(page, 'Your new token “Weekly report”');
    await page.getByRole('button', { name: 'Add new token' }).and(page.locator(':focus')).waitFor();
  });
});
