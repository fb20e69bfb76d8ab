import assert from 'node:assert/strict';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

describeInDom('the webhook of GitLab issues on the settings page', (world) => {
  const path = () => `/projects/${world().service.first.project_id}/error_tracking/hooks/gitlab`;
  const card = (page: DomPage) => page.getByRole('region', { name: 'Errors follow GitLab issues' });
  const open = async (page: DomPage) => {
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    return card(page);
  };

  it('is turned on with a secret that is shown once, gets another one, and is turned off', async () => {
    const page = await world().page();
    const section = await open(page);
    await section.getByRole('button', { name: 'Turn on' }).click();
    await section.getByText('it is not shown again', { exact: false }).waitFor();
    await section.getByText(`/api/v4${path()}`, { exact: false }).waitFor();
    const shown = /whsec_[\w+/]{43}=/.exec(await page.content())?.[0];
    assert.ok(shown !== undefined);

    await open(page);
    await section.getByText('On', { exact: true }).waitFor();
    assert.doesNotMatch(await page.content(), /whsec_/);
    await section.getByRole('button', { name: 'New secret…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
    await section.getByText('Copy it now', { exact: false }).waitFor();
    assert.notEqual(/whsec_[\w+/]{43}=/.exec(await page.content())?.[0], shown);

    await section.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await sees(page, 'Errors no longer follow their issues');
    await section.getByRole('button', { name: 'Turn on' }).waitFor();
    assert.equal(((await world().api('GET', path())) as { enabled: boolean }).enabled, false);
  });
});
