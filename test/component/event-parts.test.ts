import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomWorld } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

/** Address of the details of the error with this in its title. */
async function addressOf(world: DomWorld, title: string): Promise<string> {
  const errors = await eventually(
    () =>
      world.api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<
        readonly { id: string; title: string }[]
      >,
    (all) => all.some((error) => error.title.includes(title)),
  );
  return `${world.list}/${errors.find((error) => error.title.includes(title))?.id ?? ''}/details`;
}

describeInDom('parts of an event', (world) => {
  it('say where variables were cut, and only there', async () => {
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
    await sees(page, 'Truncated on ingest.');
    assert.equal(await page.getByText('Truncated on ingest').count(), 1);
    await assertAccessible(page);
  });

  it('leave out a context without content', async () => {
    const contexts = { cloud_resource: {}, runtime: { name: 'node' } };
    await sendEvent(world().target, { message: 'it has contexts', contexts });
    const page = await world().page();
    await page.goto(await addressOf(world(), 'it has contexts'));
    const card = page.getByRole('region', { name: 'Contexts' });
    await card.getByRole('heading', { name: 'runtime' }).waitFor();
    assert.equal(await card.getByRole('heading', { name: 'cloud_resource' }).count(), 0);
  });

  it('list feature flags by name, the last one first', async () => {
    const values = [
      { flag: 'new-checkout', result: true },
      { flag: 'fast-search', result: false },
    ];
    await sendEvent(world().target, { message: 'it has flags', contexts: { flags: { values } } });
    const page = await world().page();
    await page.goto(await addressOf(world(), 'it has flags'));
    const card = page.getByRole('region', { name: 'Feature flags' });
    assert.match(await card.innerText(), /fast-search\s+false\s+new-checkout\s+true/);
  });
});
