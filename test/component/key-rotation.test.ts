import { describeInDom, sees } from '../support/dom.ts';
import { closedGate } from '../support/gate.ts';

describeInDom('a look at the keys while one is replaced', (world) => {
  it('has no effect when the dialog is closed before its answer, and further looks follow', async () => {
    const page = await world().page();
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    await page.getByRole('button', { name: /^Rotate / }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the key' });
    await dialog.getByRole('button', { name: 'Create the new key' }).click();
    await sees(page, /^replaced by/);

    const gate = closedGate();
    let asked: () => void = () => undefined;
    const nextLook = () => new Promise<void>((resolve) => (asked = resolve));
    let before: Promise<unknown> = gate.passed;
    const look = nextLook();
    await page.route('**/client_keys*', (route) => {
      asked();
      // In order: what is asked after the look is answered after it.
      const answer = before.then(() => route.fetch());
      before = answer;
      return answer;
    });
    await look;
    await dialog.getByRole('button', { name: 'Later' }).click();
    await dialog.waitFor({ state: 'detached' });
    await world().api('POST', '/projects/demo%2Fshop/error_tracking/client_keys');
    gate.open();
    await page
      .getByRole('button', { name: /^Copy the DSN of / })
      .nth(2)
      .waitFor();

    await page.getByRole('button', { name: /^Continue rotation of / }).click();
    await dialog.getByText('Step 2 of 3').waitFor();
    await nextLook();
  });
});
