import { assertAccessible } from '../support/browser-axe.ts';
import assert from 'node:assert/strict';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Address of the details of the error with this in its title. */
async function addressOf(world: BrowserWorld, title: string): Promise<string> {
  const errors = await eventually(
    () => world.api('GET', '/projects/1/error_tracking/errors') as Promise<readonly { id: string; title: string }[]>,
    (all) => all.some((error) => error.title.includes(title)),
  );
  return `${world.list}/${errors.find((error) => error.title.includes(title))?.id ?? ''}/details`;
}

describeInBrowser('parts of an event', (world) => {
  it('says where variables were cut, and only there', async () => {
    const [inner, outer] = [
      { function: 'inner', lineno: 1, in_app: true, vars: { big: 'x'.repeat(5000) } },
      { function: 'outer', lineno: 2, in_app: true, vars: { small: 'whole' } },
    ];
    const value = {
      type: 'CutError',
      value: `much to tell${'. And more'.repeat(200)}`,
      stacktrace: { frames: [outer, inner] },
    };
    await sendEvent(world().target, { exception: { values: [value] } });
    const page = await world().page();
    await page.goto(await addressOf(world(), 'CutError'));
    await page.getByText('Variables (1, cut)').click();
    await page.getByText('Variables (1)', { exact: true }).click();
    await sees(page, 'Cut when stored: there was more, or it was longer or deeper.');
    assert.equal(await page.getByText('Cut when stored').count(), 1);
    await shoot(page, 'details-cut');
    await assertAccessible(page);
  });
});
