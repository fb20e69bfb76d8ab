import assert from 'node:assert/strict';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { assertAccessible } from '../support/dom-axe.ts';
import { describeInDom, sees, type DomWorld } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

async function addressOfNewest(world: DomWorld): Promise<string> {
  const errors = await eventually(
    async () => (await world.api('GET', ERRORS)) as readonly { readonly id: string }[],
    (all) => all.length > 0,
  );
  return `${world.list}/${errors[0]?.id ?? ''}/details`;
}

describeInDom('the switches of a stack', (world) => {
  before(() => sendEvent(world().target, richEvent(Date.now() / 1000)));

  it('show all frames, or those of the application with the others folded', async () => {
    const page = await world().page();
    await page.goto(await addressOfNewest(world()));
    const stack = page.getByRole('list', { name: 'Stack trace, innermost call first' }).first();
    await stack.locator('.function').first().waitFor();
    const folds = stack.getByRole('button', { name: /system frames$/ });
    assert.ok((await folds.count()) > 0);
    const switches = page.getByRole('group', { name: 'Frames' });
    await switches.getByRole('button', { name: 'All frames' }).click();
    assert.equal(await folds.count(), 0);
    assert.equal(await switches.getByRole('button', { name: 'All frames' }).getAttribute('aria-pressed'), 'true');
    await assertAccessible(page);
    await switches.getByRole('button', { name: 'App only' }).click();
    assert.ok((await folds.count()) > 0);
  });

  it('turn the order round, and keep it for the next error', async () => {
    const page = await world().page();
    const address = await addressOfNewest(world());
    await page.goto(address);
    const namesIn = (order: string) =>
      page
        .getByRole('list', { name: `Stack trace, ${order} call first` })
        .first()
        .locator('.function')
        .allInnerTexts();
    await sees(page, 'Stack trace');
    const innermost = await namesIn('innermost');
    const order = page.getByRole('button', { name: 'Newest first' });
    assert.equal(await order.getAttribute('aria-pressed'), 'true');
    await order.click();
    assert.deepEqual(await namesIn('outermost'), [...innermost].reverse());
    await page.goto(address);
    await page.getByRole('list', { name: 'Stack trace, outermost call first' }).first().waitFor();
    await order.click();
    assert.deepEqual(await namesIn('innermost'), innermost);
  });

  it('open and close all frames', async () => {
    const page = await world().page();
    await page.goto(await addressOfNewest(world()));
    const stack = page.getByRole('list', { name: 'Stack trace, innermost call first' }).first();
    await stack.locator('.function').first().waitFor();
    const sources = stack.getByRole('group', { name: 'Source' });
    const atFirst = await sources.count();
    await page.getByRole('button', { name: 'Expand all' }).click();
    const closed = stack.locator('button.toggle[aria-expanded="false"]');
    assert.equal(await closed.count(), 0);
    assert.ok((await sources.count()) > atFirst);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    assert.equal(await sources.count(), 0);
  });

  it('show a frame at its original place, on request as it was sent, and why another is not mapped', async () => {
    const page = await world().page();
    await page.route(/\/events\/latest$/, async (route) => {
      const answer = await route.fetch();
      const event = (await answer.json()) as object;
      const place = { module: null, pre_context: [], post_context: [], vars: null, in_app: true, platform: null };
      const built = { ...place, filename: '/assets/x.js', abs_path: 'https://shop.example/assets/x.js', lineno: 1 };
      const frames = [
        { ...built, function: 'e', colno: 812, context_line: null, unmapped: 'no map for debug id <b>7</b>' },
        {
          ...{ ...place, filename: 'src/cart.ts', abs_path: 'src/cart.ts', function: 'readCost', lineno: 7, colno: 15 },
          ...{ context_line: 'return item.cost;', raw: { ...built, function: 't', colno: 409, context_line: null } },
        },
      ];
      const exceptions = [{ type: 'E', value: 'v', module: null, thread_id: null, mechanism: null, frames }];
      return route.fulfill({ response: answer, json: { ...event, exceptions } });
    });
    await page.goto(await addressOfNewest(world()));
    await sees(page, 'Not mapped: no map for debug id <b>7</b>.');
    await sees(page, 'readCost in src/cart.ts:7:15');
    const sent = 't in https://shop.example/assets/x.js:1:409';
    const text = () => page.locator('main').innerText();
    assert.ok(!(await text()).includes(sent));
    const button = page.getByRole('button', { name: 'As sent' });
    assert.equal(await button.count(), 1);
    await button.click();
    assert.ok((await text()).includes(sent));
    await button.click();
    assert.ok(!(await text()).includes(sent));
  });
});
