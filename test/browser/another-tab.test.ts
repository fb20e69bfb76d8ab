import assert from 'node:assert/strict';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, PASSWORD, sees, signInAs } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

describeInBrowser('signing in again in another tab', (world) => {
  const errorOf = async (title: string) =>
    ((await world().api('GET', `${ERRORS}?status=all`)) as readonly ListedError[]).find((one) => one.title === title);
  const statusOf = async (title: string) => (await errorOf(title))?.status;

  async function detailsOf(title: string): Promise<string> {
    await sendEvent(world().target, { message: title, level: 'error' });
    const found = await eventually(
      () => errorOf(title),
      (error) => error !== undefined,
    );
    return `${world().list}/${found?.id ?? ''}/details`;
  }

  it('changes nothing for the same user', async () => {
    const page = await world().page();
    await page.goto(await detailsOf('the same person'));
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await signInAs(page.context(), world().url, world().service.first.username, PASSWORD);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(
      () => statusOf('the same person'),
      (status) => status === 'resolved',
    );
    await page.getByRole('button', { name: 'Unresolve' }).waitFor();
    assert.equal(await page.getByText(/Failed|Developer role/).count(), 0);
    // The token is the present one now: nothing is refused any more.
    const answer = page.waitForResponse((response) => response.url().endsWith('/errors/bulk'));
    await page.getByRole('button', { name: 'Unresolve' }).click();
    assert.equal((await answer).status(), 200);
  });

  it('as another user is reported, and nothing is written in that user’s name', async () => {
    await world().person('rita', 30);
    const page = await world().page();
    // The page says by itself that the error was looked at; later that would find the other user first.
    const reviewed = page.waitForResponse((response) => response.url().endsWith('/review'));
    await page.goto(await detailsOf('somebody else'));
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await reviewed;
    await signInAs(page.context(), world().url, 'rita', PASSWORD);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await sees(page, 'Nothing was changed');
    // The message about the refused change follows at once and leaves the reason on the page.
    await page
      .locator('.toast:not(.toast-leave-active)', { hasText: 'Another tab of this browser signed in as rita' })
      .waitFor();
    assert.equal(await page.getByText('Developer role').count(), 0);
    assert.match(await page.getByTitle('Your profile').innerText(), /rita/);
    assert.equal(await statusOf('somebody else'), 'unresolved');
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(
      () => statusOf('somebody else'),
      (status) => status === 'resolved',
    );
  });
});
