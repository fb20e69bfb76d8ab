import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { frames, richEvent, sendEvent, sendReport } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { shiftOf, watchShifts } from '../support/layout-shift.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { textEdges } from '../support/text-edges.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Maximum layout shift of a page, however late its parts answer. */
const MAX_SHIFT = 0.01;
/** More than one page of the table. */
const COUNT = 55;

describeInBrowser('the events and parts of an error', (world) => {
  const now = Date.now() / 1000;
  let address = '';

  async function addressOf(type: string, count: number): Promise<string> {
    const read = async () =>
      (await world().api('GET', `${ERRORS}?status=all&search=${type}`)) as readonly { id: string; count: number }[];
    const [found] = await eventually(read, ([first]) => first?.count === count);
    return `${world().list}/${found?.id ?? ''}/details`;
  }

  before(async () => {
    for (let index = 0; index < COUNT; index += 1) {
      await sendEvent(
        world().target,
        richEvent(now - index * 3600, {
          fingerprint: ['TabledError'],
          exception: { values: [{ type: 'TabledError', value: 'x', stacktrace: { frames: frames(3) } }] },
          release: `shop@1.${index < 3 ? 1 : 0}.0`,
          environment: index % 2 === 0 ? 'production' : 'staging',
          user: { id: String(index), email: `user${index}@example.com` },
          tags: { browser: index % 5 === 0 ? 'Safari 18' : 'Firefox 140', plan: 'pro' },
        }),
      );
    }
    address = await addressOf('TabledError', COUNT);
  });

  it('says that older ones are not searched yet, where none of a page fits, and goes on', async () => {
    const page = await world().page();
    let older = true;
    await page.route(/\/events\?.*environment=nowhere/, (route) => {
      const next = { Link: '<http://x.test/events?cursor=next>; rel="next"' };
      return route.fulfill({ json: [], headers: { 'X-Errgate-Searched': '1000', ...(older ? next : {}) } });
    });
    await page.goto(`${address}?view=events&environment=nowhere`);
    await page
      .getByText(/^No matching events among the newest [\d,]+000\. Older ones are not searched yet\.$/)
      .waitFor();
    await page.getByText(/^0 events of [\d,]+000 searched so far$/).waitFor();
    older = false;
    await page.getByRole('button', { name: 'Search older events' }).click();
    await page.getByText('No matching events.').waitFor();
    await page.getByRole('button', { name: 'Search older events' }).waitFor({ state: 'detached' });
  });

  it('are a table with columns of choice, filters in the address, and CSV', async () => {
    const page = await world().page();
    await page.goto(address);
    await page.getByText(`Event ${COUNT} of ${COUNT}`).waitFor();
    await page.getByRole('link', { name: 'All events' }).click();
    const rows = page.locator('.all-events tbody tr');
    await page.getByText(`The newest 50 of ${COUNT} events`).waitFor();
    await page.getByRole('button', { name: 'Show older events' }).click();
    await page.getByText(`${COUNT} events, newest first`).waitFor();
    assert.match(await rows.first().innerText(), / UTC (just now|\d+ \w+ ago)/);
    assert.match(await rows.first().innerText(), /shop@1\.1\.0[\s\S]*production[\s\S]*user0@example\.com/);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Server').check();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('columnheader', { name: 'Server' }).waitFor();
    await assertAccessible(page);
    await page.getByLabel('Tag', { exact: true }).selectOption('browser:Safari 18');
    await page.getByText(`11 events of ${COUNT} searched`).waitFor();
    await page.getByRole('searchbox', { name: 'User' }).fill('user10@example.com');
    await page.keyboard.press('Enter');
    await page.getByText(`1 event of ${COUNT} searched`).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tag'), 'browser:Safari 18');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Server' }).waitFor();
    await page.getByText(`1 event of ${COUNT} searched`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /user10@example\.com/);
    await rows.first().getByRole('link').click();
    await page.getByText('Event 1 of 1 with browser: Safari 18, user: user10@example.com').waitFor();
  });

  it('keep what is typed into a filter while the error loads again', async () => {
    const typed = { fingerprint: ['TypedError'], exception: { values: [{ type: 'TypedError', value: 'x' }] } };
    await sendEvent(world().target, richEvent(now - 60, typed));
    const page = await world().page();
    await page.goto(`${await addressOf('TypedError', 1)}?view=events`);
    const user = page.getByRole('searchbox', { name: 'User' });
    await user.pressSequentially('ann');
    await sendEvent(world().target, richEvent(now, typed));
    await eventually(
      async () => {
        // A page that becomes visible loads the error again at once.
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
        return page.locator('dd.big').first().innerText();
      },
      (events) => events.trim() === '2',
    );
    assert.equal(await user.inputValue(), 'ann');
  });

  it('say what could not be loaded, and load it again', async () => {
    const page = await world().page({ expected: /500/ });
    const refused = /\/errors\/\d+\/(users|events\?.*cursor=)/;
    await page.route(refused, (route) => route.fulfill({ status: 500, json: { message: 'It broke.' } }));
    await page.goto(address);
    const users = page.getByRole('region', { name: 'Latest users' });
    await users.getByText(/^Not loaded\./).waitFor();
    await page.getByRole('link', { name: 'All events' }).click();
    await page.getByRole('button', { name: 'Show older events' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Not loaded\./)
      .waitFor();
    await assertAccessible(page);
    await page.unroute(refused);
    await page.getByRole('button', { name: 'Show older events' }).click();
    await page.getByText(`${COUNT} events, newest first`).waitFor();
    assert.equal(await page.getByText(/^Not loaded\./).count(), 0);
  });

  itInFullRun('fit the screen as a table', async () => {
    const page = await world().page();
    await page.goto(`${address}?view=events`);
    await page.locator('.all-events tbody tr').first().waitFor();
    await assertLooks(page, 'details-events');
    const edges = await textEdges(page.locator('.all-events'), 'h2', 'thead th', '.time', '.time + .small');
    assert.equal(new Set(edges).size, 1, `the texts begin at ${edges.join()}`);
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 850 });
      const region = page.getByRole('region', { name: 'Events', exact: true });
      const hidden = await region.evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.equal(hidden, 0, `the usual columns fit the card at ${width}`);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    await assertFits(page);
  });

  it('show since when and how often a tag has each value', async () => {
    const page = await world().page();
    await page.goto(address);
    const toggle = page.getByRole('button', { name: 'Over time: browser' });
    await toggle.click();
    const tags = page.getByRole('region', { name: 'Tags', exact: true });
    await tags.getByText(`Among all ${COUNT} stored events, from`).waitFor();
    const values = tags.locator('.trend li');
    assert.deepEqual(await values.locator('.name').allInnerTexts(), ['Firefox 140', 'Safari 18']);
    assert.match(await values.first().innerText(), /44 events[\s\S]*First .*, in shop@1\.0\.0; last /);
    await tags.getByText('A bar is 1 hour.').waitFor();
    await toggle.scrollIntoViewIfNeeded();
    // The bar at the top covers what was scrolled below it.
    await page.evaluate('scrollTo(0, 0)');
    await assertLooks(page, 'details-tag-trend');
    await page.setViewportSize({ width: 320, height: 700 });
    await assertFits(page);
    await toggle.press('Enter');
    await values.first().waitFor({ state: 'detached' });
  });

  it('have tags that filter, chips that lead to errors, and texts to copy', async () => {
    const page = await world().page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(address);
    const tags = page.getByRole('region', { name: 'Tags', exact: true });
    await tags.getByText(/^Same for all \(\d+\)$/).click();
    await tags.getByRole('link', { name: 'pro', exact: true }).waitFor();
    const chips = page.getByRole('list', { name: 'Who and where' });
    const user = await chips.getByRole('link', { name: 'user0@example.com' }).getAttribute('href');
    assert.equal(new URL(user ?? '', page.url()).searchParams.get('search'), 'user:user0@example.com');
    const copied = async (item: RegExp, has: RegExp) => {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await eventually(
        () => page.evaluate<string>('navigator.clipboard.readText()'),
        (text) => has.test(text),
      );
    };
    await copied(/^Copy link/, /\/details\?event=[0-9a-f]{32}$/);
    await copied(/^Copy as cURL/, /^curl -X POST 'https:\/\/shop\.example\.com\/checkout\?coupon=SPRING'/);
    await copied(/^Copy as Markdown/, /^## TabledError: x[\s\S]*### Stack trace[\s\S]*POST \/api\/quotes 200/);
    await tags.getByRole('link', { name: 'Safari 18' }).click();
    await page.getByText(`11 events of ${COUNT} searched`).waitFor();
  });

  it('show one chart with spans, a scale and marks of releases, and remember the span', async () => {
    const page = await world().page();
    await page.goto(address);
    const spans = page.getByRole('group', { name: 'Span of the chart' });
    await spans.getByRole('button', { name: '7 d' }).click();
    await sees(page, 'per day');
    await page.locator('.flag', { hasText: '1.1.0' }).waitFor({ state: 'attached' });
    await page.reload();
    assert.equal(await spans.getByRole('button', { name: '7 d' }).getAttribute('aria-pressed'), 'true');
  });

  it('fold recursions, show the rest of a long stack, and shift nothing while they load', async () => {
    const own = (name: string, line: number) => ({ function: name, filename: 'walk.py', lineno: line, in_app: true });
    const deep = Array.from({ length: 40 }, (_, index) => own(`step${index}`, index + 1));
    const visits = Array.from({ length: 163 }, () => own('visit', 31));
    await sendEvent(
      world().target,
      richEvent(now, {
        platform: 'python',
        fingerprint: ['RecursionError'],
        exception: {
          values: [
            { type: 'RecursionError', value: 'deep', stacktrace: { frames: [...deep, ...visits, own('leaf', 9)] } },
          ],
        },
      }),
    );
    const page = await world().page();
    await watchShifts(page);
    await page.goto(await addressOf('RecursionError', 1));
    const stack = page.getByRole('list', { name: 'Stack trace, innermost call first' });
    await stack.getByRole('button', { name: 'visit × 163' }).waitFor();
    await page.getByRole('region', { name: 'Latest users' }).waitFor();
    const shift = await shiftOf(page);
    assert.ok(shift <= MAX_SHIFT, `layout shift ${shift}`);
    assert.equal(await stack.locator('.frame').count(), 9);
    await stack.getByRole('button', { name: 'Show 33 more' }).press('Enter');
    await stack.getByText('step0', { exact: true }).waitFor();
    // The pressed button is gone: the focus stays in the list.
    await eventually(
      () => page.evaluate<boolean>("document.activeElement?.closest('.stack') !== null"),
      (stays) => stays,
    );
    await page.getByRole('button', { name: 'Show raw' }).click();
    assert.match(
      await page.getByLabel('Raw stack trace').innerText(),
      /^Traceback \(most recent call last\):\n {2}File "walk\.py", line 1, in step0\n[\s\S]*RecursionError: deep$/,
    );
  });

  itInFullRun('move nothing, however late and in whichever order their parts answer', async () => {
    const exception = { values: [{ type: 'SlowlyShown', value: 'x', stacktrace: { frames: frames(8) } }] };
    const eventId = await sendEvent(world().target, richEvent(now, { exception, fingerprint: ['slow'] }));
    await sendReport(world().target, { event_id: eventId, name: 'Ada', email: '', comments: 'I paid twice.' });
    const details = await addressOf('SlowlyShown', 1);
    const parts = /\/(users|notes|activity|issues|alerts|tags|user_reports|releases|count|capabilities)(\?|$)/;
    const orders = [
      { late: parts, phone: false },
      { late: /\/errors\/\d+$/, phone: false },
      { late: /\/events\//, phone: true },
    ];
    for (const { late, phone } of orders) {
      const page = await world().page({ phone });
      await watchShifts(page);
      await page.route('**/api/v4/**', async (route) => {
        const isLate = late.test(new URL(route.request().url()).pathname);
        await sleep(isLate ? 150 : 10);
        // The page may have gone on to another address.
        await route.continue().catch(() => undefined);
      });
      const loads = async (address: string, whole: Locator) => {
        await page.goto(address);
        await whole.waitFor();
        const shift = await shiftOf(page);
        assert.ok(
          shift <= MAX_SHIFT,
          `layout shift ${shift} of ${address}, ${String(late)} late${phone ? ', phone' : ''}`,
        );
      };
      // The last card of each page shows once those before it are complete.
      await loads(details, page.getByRole('region', { name: 'Tags', exact: true }));
      await page.getByRole('region', { name: 'User reports' }).getByText('I paid twice.').waitFor();
      await loads(`${details}?view=events`, page.locator('.all-events tbody tr').first());
      await loads(world().list, page.locator('#tab-count-all'));
    }
  });

  it('lead to the next and the previous error of the list they came from, also after one left it', async () => {
    const types = ['FirstInList', 'SecondInList', 'ThirdInList'];
    for (const [back, type] of types.entries()) {
      const exception = { values: [{ type, value: 'InList' }] };
      await sendEvent(world().target, richEvent(now - 100 - back, { exception, fingerprint: [type] }));
      await addressOf(type, 1);
    }
    const page = await world().page();
    const shows = (type: string) => page.getByRole('heading', { level: 1, name: `${type}: InList` }).waitFor();
    await page.goto(`${world().list}?search=InList`);
    await page.getByRole('link', { name: /FirstInList/ }).click();
    await shows('FirstInList');
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await sees(page, 'Unresolve');
    await page.keyboard.press('j');
    await shows('SecondInList');
    await page.getByRole('button', { name: 'Next error' }).click();
    await shows('ThirdInList');
    await eventually(
      () => page.getByRole('button', { name: 'Next error' }).getAttribute('aria-disabled'),
      (disabled) => disabled === 'true',
    );
    await page.keyboard.press('k');
    await shows('SecondInList');
    await page.keyboard.press('k');
    await shows('FirstInList');
  });
});
