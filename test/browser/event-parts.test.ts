import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Address of the details of the error with this in its title. */
async function addressOf(world: BrowserWorld, title: string): Promise<string> {
  const errors = await eventually(
    () =>
      world.api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<
        readonly { id: string; title: string }[]
      >,
    (all) => all.some((error) => error.title.includes(title)),
  );
  return `${world.list}/${errors.find((error) => error.title.includes(title))?.id ?? ''}/details`;
}

describeInBrowser('parts of an event', (world) => {
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
    await shoot(page, 'details-cut');
    await assertAccessible(page);
  });

  it('name the latest users, each with their last event, and no user for events without one', async () => {
    const now = Date.now() / 1000;
    const hit = (back: number, user: object) =>
      sendEvent(world().target, { timestamp: now - back, message: 'it hit somebody', user });
    await hit(400, { id: '8', username: '<img src=x onerror=alert(1)>' });
    const ada = await hit(200, { id: '7', email: 'ada@example.com' });
    await hit(300, { id: '7', email: 'old@example.com' });
    await hit(100, {});
    const address = await addressOf(world(), 'it hit somebody');
    for (const [suffix, options] of [
      ['', {}],
      ['-dark-phone', { dark: true, phone: true }],
    ] as const) {
      const page = await world().page(options);
      await page.goto(address);
      const card = page.getByRole('region', { name: 'Latest users' });
      const links = card.getByRole('link');
      await links.nth(1).waitFor();
      assert.deepEqual(await links.allInnerTexts(), ['ada@example.com', '<img src=x onerror=alert(1)>']);
      await card.getByText('From recent events. Select a user to open their latest event.').waitFor();
      assert.equal(await page.locator('main img').count(), 0);
      await card.scrollIntoViewIfNeeded();
      await shoot(page, `details-users${suffix}`);
      await assertAccessible(page);
      await links.first().click();
      await page.waitForURL(`**?event=${ada}`);
      await page.getByText(ada).first().waitFor();
    }
    await sendEvent(world().target, { message: 'it hit nobody' });
    const page = await world().page();
    const asked = page.waitForResponse(/\/errors\/\d+\/users$/);
    await page.goto(await addressOf(world(), 'it hit nobody'));
    await (await asked).finished();
    await sees(page, 'No stack trace for this error');
    assert.equal(await page.getByText('Latest users').count(), 0);
  });

  it('work when the code for charts and colours does not load, and offer to load it again', async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000));
    const address = await addressOf(world(), 'PaymentError');
    for (const options of [{}, { dark: true, phone: true }]) {
      const page = await world().page({ ...options, expected: /ERR_FAILED|Couldn't load preload/ });
      await page.goto(world().list);
      await sees(page, 'PaymentError');
      const asked: string[] = [];
      await page.route(/assets\/(uPlot|highlight|typescript)[^/]*\.js$/, (route) => {
        asked.push(route.request().url());
        return asked.length % 2 === 0 ? route.abort() : route.fulfill({ status: 404 });
      });
      await page.goto(address);
      await sees(page, 'The chart could not be loaded');
      await sees(page, 'const receipt = await gateway.charge');
      assert.equal(await page.locator('.token-keyword, .u-wrap').count(), 0);
      assert.equal(asked.length, new Set(asked).size, 'each is asked for once');
      assert.equal(asked.length, 2);
      // The newest first.
      assert.match(await page.locator('.numbers tr').first().innerText(), /\s1$/);
      await shoot(page, `details-without-chart${'dark' in options ? '-dark-phone' : ''}`);
      await assertAccessible(page);
      const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(width, 0);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.locator('.u-wrap').nth(1).waitFor();
      await page.locator('.token-keyword').first().waitFor();
      assert.equal(await page.getByText('The chart could not be loaded').count(), 0);
    }
  });

  it('reload the page when their code belongs to a version that was replaced', async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000));
    const page = await world().page();
    const present: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) present.push(request.url());
    });
    // Of the page that was loaded first nothing is left.
    await page.route(/assets\/uPlot[^/]*\.js$/, (route) =>
      present.length > 1 ? route.continue() : route.fulfill({ status: 404 }),
    );
    await page.goto(await addressOf(world(), 'PaymentError'));
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.locator('.u-wrap').nth(1).waitFor();
    assert.equal(present.length, 2);
  });
});
