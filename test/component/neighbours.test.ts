import assert from 'node:assert/strict';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';
import { closedGate } from '../support/gate.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Newest first, as in the list. */
const TITLES = ['first in list', 'second in list', 'third in list'];
const LIST = '**/error_tracking/errors?*';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

describeInDom('the errors beside an error', (world) => {
  let errors: readonly Listed[] = [];
  const read = async () => (await world().api('GET', `${ERRORS}?status=all`)) as readonly Listed[];

  before(async () => {
    for (const [index, message] of TITLES.entries()) {
      await sendEvent(world().target, { message, timestamp: Date.now() / 1000 - index * 60, fingerprint: [message] });
    }
    errors = await eventually(read, (all) => all.length === TITLES.length);
  });

  const addressOf = (title: string) =>
    `${world().list}/${errors.find((one) => one.title === title)?.id ?? assert.fail(title)}/details`;
  const shows = (page: DomPage, title: string) => page.getByRole('heading', { name: title, level: 1 }).waitFor();

  it('are opened by a key that is pressed before the list is known', async () => {
    const page = await world().page();
    const gate = closedGate();
    await page.route(LIST, async (route) => {
      await gate.passed;
      return route.fetch();
    });
    await page.goto(addressOf('first in list'));
    await shows(page, 'first in list');
    await page.keyboard.press('E');
    await sees(page, 'Resolved');
    assert.equal(await page.getByText('This is the last error of the list.').count(), 0);
    gate.open();
    await eventually(
      async () => page.url(),
      (url) => !url.endsWith(addressOf('first in list')),
    );
    await world().api('PUT', `${ERRORS}/${errors[0]?.id ?? ''}`, { status: 'unresolved' });
  });

  it('are left alone when another error is opened while a further page of the list is read', async () => {
    const page = await world().page();
    const gate = closedGate();
    let asked: () => void = () => undefined;
    const further = new Promise<void>((resolve) => (asked = resolve));
    await page.route(LIST, async (route) => {
      if (new URL(route.request.url).searchParams.has('cursor')) {
        asked();
        await gate.passed;
      }
      const response = await route.fetch();
      const [first] = (await response.json()) as readonly Listed[];
      const link = `<${world().url}/more?cursor=more>; rel="next"`;
      return route.fulfill({ response, json: first === undefined ? [] : [first], headers: { link } });
    });
    await page.goto(addressOf('first in list'));
    await shows(page, 'first in list');
    await page.keyboard.press('j');
    await further;
    const address = JSON.stringify(addressOf('third in list'));
    await page.evaluate(
      `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
    );
    await shows(page, 'third in list');
    gate.open();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await shows(page, 'third in list');
  });
});
