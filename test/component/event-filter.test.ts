import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInDom, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Events of the error; every second one is of Firefox, the newest too. */
const COUNT = 13;
const WITH = 'with browser: Firefox 140';

describeInDom('the events that fit a filter', (world) => {
  /** Ids of the events of Firefox, newest first. */
  const fitting: string[] = [];
  let address = '';

  before(async () => {
    const now = Date.now() / 1000;
    for (let index = 0; index < COUNT; index += 1) {
      const firefox = index % 2 === 0;
      const event = richEvent(now - index * 60, {
        fingerprint: ['WalkedError'],
        exception: { values: [{ type: 'WalkedError', value: 'x' }] },
        tags: { browser: firefox ? 'Firefox 140' : 'Safari 17' },
      });
      const id = await sendEvent(world().target, event);
      if (firefox) fitting.push(id);
    }
    const read = async () =>
      (await world().api('GET', `${ERRORS}?search=WalkedError`)) as readonly { id: string; count: number }[];
    const [found] = await eventually(read, ([first]) => first?.count === COUNT);
    address = `${world().list}/${found?.id ?? ''}/details`;
  });

  const at = (page: DomPage, id: string | undefined) =>
    eventually(
      () => page.locator('[data-event]').getAttribute('data-event'),
      (shown) => shown === id,
    );
  const says = (page: DomPage, place: number) => page.getByText(`Event ${place} of 7 ${WITH}`).waitFor();

  it('are counted and reached over any number of pages', async () => {
    const page = await world().page();
    await page.route(/\/events\?/, (route) => {
      const url = new URL(route.request.url);
      url.searchParams.set('per_page', '1');
      return route.fetch(url.href);
    });
    await page.goto(`${address}?event=${fitting[0] ?? ''}&tag=browser:Firefox+140`);
    await page.getByText(`Event 1 of 5+ ${WITH}, newest first`).waitFor();
    for (const id of fitting.slice(1)) {
      await page.keyboard.press(',');
      await at(page, id);
    }
    await says(page, 1);
  });

  it('say that an event is not among them', async () => {
    const page = await world().page();
    await page.goto(`${address}?event=${fitting[3] ?? ''}&tag=browser:Safari+17`);
    await page.getByText('Not among the events with browser: Safari 17').waitFor();
    await page.getByRole('link', { name: 'Leave the filter' }).click();
    await page.getByText(`Event ${COUNT - 6} of ${COUNT}`).waitFor();
  });
});
