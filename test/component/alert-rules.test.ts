import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomPage, type DomLocator } from '../support/dom.ts';

interface Rule {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly when: { readonly kinds: readonly string[]; readonly threshold: unknown };
  readonly only: { readonly environments: readonly string[]; readonly tags: readonly unknown[] };
  readonly to: { readonly members: boolean };
  readonly how: { readonly mode: string; readonly quiet: unknown; readonly zone: string };
}

describeInDom('the rules of the Alerts page', (world) => {
  const path = () => `/projects/${world().service.first.project_id}/error_tracking/alerts`;
  const stored = async () => ((await world().api('GET', path())) as { readonly rules: readonly Rule[] }).rules;
  const cardOf = (page: DomPage): DomLocator => page.getByRole('region', { name: 'Rules' });

  async function open(page: DomPage): Promise<DomLocator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await cardOf(page).waitFor();
    return cardOf(page);
  }

  /** A rule that reaches nobody, so that a project has more than the default. */
  const ruleOf = (name: string) => ({ name, when: { kinds: ['new'] } });

  it('are added, changed, switched off and removed', async () => {
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Add rule' }).click();
    await card.getByLabel('Name of the rule').fill('Payments');
    await card.getByRole('checkbox', { name: 'Regressed errors' }).uncheck();
    await card.getByRole('checkbox', { name: 'An error happens often' }).check();
    await card.getByLabel('Events', { exact: true }).fill('500');
    await card.getByLabel('Minutes', { exact: true }).fill('5');
    await card.getByLabel('Environments', { exact: true }).fill('production, staging');
    await card.getByLabel('Tags').fill('plan = pro');
    await card.getByRole('radio', { name: 'Once a day' }).check();
    await card.getByLabel('Time of day').fill('08:30');
    await card.getByLabel('Time zone').fill('Asia/Tokyo');
    await card
      .getByText(
        /^Errors of level error and up.* daily at 08:30 \(Asia\/Tokyo\) .*when they are new or have 500 events in 5 minutes\./,
      )
      .waitFor();
    await card.getByRole('button', { name: 'Save rule' }).click();
    await sees(page, 'Rule added');
    const added = (await stored())[1] ?? assert.fail();
    assert.deepEqual(added.when.threshold, { events: 500, minutes: 5 });
    assert.deepEqual(added.only.environments, ['production', 'staging']);
    assert.deepEqual(added.only.tags, [{ key: 'plan', value: 'pro' }]);
    assert.deepEqual([added.how.mode, added.how.zone], ['daily', 'Asia/Tokyo']);

    await card.getByRole('button', { name: 'Edit Payments' }).click();
    await card.getByRole('checkbox', { name: 'Members from Developer up, by mail' }).uncheck();
    await card.getByRole('checkbox', { name: 'All channels' }).uncheck();
    await card.getByRole('button', { name: 'Save rule' }).click();
    await card.getByRole('alert').getByText('Choose who gets the messages.').waitFor();
    await card.getByRole('checkbox', { name: 'All channels' }).check();
    await card.getByLabel('Time zone').fill('Middle/Earth');
    await card.getByRole('button', { name: 'Save rule' }).click();
    await card.getByRole('alert').getByText(/zone/i).waitFor();
    await card.getByLabel('Time zone').fill('UTC');
    await card.getByRole('button', { name: 'Save rule' }).click();
    await sees(page, 'Rule saved');
    assert.equal((await stored())[1]?.to.members, false);

    await card.getByRole('checkbox', { name: 'Payments: on' }).uncheck();
    await sees(page, 'Rule switched off');
    assert.equal((await stored())[1]?.enabled, false);

    await card.getByRole('button', { name: 'Remove Payments' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this rule?' });
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Remove rule' }).click();
    await sees(page, 'Rule removed');
    assert.deepEqual(
      (await stored()).map(({ name }) => name),
      ['Important changes'],
    );
  });

  it('keep unsaved input until the user decides', async () => {
    await world().api('PUT', path(), { rules: [ruleOf('Only one')] });
    const page = await world().page();
    const card = await open(page);
    await card.getByRole('button', { name: 'Edit Only one' }).click();
    await card.getByLabel('Name of the rule').fill('Another name');
    await page.getByRole('link', { name: 'Members' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await card.getByLabel('Name of the rule').inputValue(), 'Another name');
    await page.getByRole('link', { name: 'Members' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  });

  it('say that nothing is reported when none is on or there is none', async () => {
    const page = await world().page();
    await world().api('PUT', path(), { rules: [{ ...ruleOf('Paused'), enabled: false }] });
    await open(page);
    await sees(page, 'Nothing is reported: no rule is switched on.');
    await world().api('PUT', path(), { rules: [] });
    const card = await open(page);
    await card.getByText('No rules: nothing is reported.').waitFor();
    await card.getByRole('button', { name: 'Add rule' }).click();
    assert.equal(await card.getByLabel('Name of the rule').inputValue(), 'Important changes');
  });

  it('are for maintainers only, and a failure can be tried again', async () => {
    await world().person('dora-of-alerts', 30);
    const hers = await world().page({ as: 'dora-of-alerts' });
    await hers.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await hers.getByRole('heading', { name: 'You need the Maintainer role to see and change alerts' }).waitFor();
    await assertAccessible(hers);
    const page = await world().page({ expected: /status of 500/ });
    await page.route('**/error_tracking/alerts', (route) => route.fulfill({ status: 500, json: { message: 'boom' } }));
    await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.unroute('**/error_tracking/alerts');
    await page.getByRole('button', { name: 'Try again' }).click();
    await cardOf(page).waitFor();
  });
});
