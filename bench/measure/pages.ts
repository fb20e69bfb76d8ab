import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { changeFirstPassword, PASSWORD } from '../../test/support/browser-people.ts';
import { ARGUMENTS, chromiumPath, signInAs } from '../../test/support/browser.ts';
import { frames, richEvent, sendEvent } from '../../test/support/browser-seed.ts';
import { withStore } from './large-store.ts';
import { seedStore } from './seed.ts';
import { startService, type Service } from './service.ts';
import { percentile } from './statistics.ts';
import { embeddedStore } from './stores.ts';

export interface PageFigures {
  readonly events: number;
  readonly errors: number;
  /** Milliseconds, p50 and p95, from the click (or the address) until the frame with the new rows. */
  readonly coldList: readonly [number, number];
  readonly coldDetails: readonly [number, number];
  readonly filter: readonly [number, number];
  readonly details: readonly [number, number];
  /** Milliseconds of the longest task while scrolling a trace of 250 frames and 100 breadcrumbs. */
  readonly longestScrollTask: number;
}

const COLD_LOADS = 15;
const CHANGES = 40;
const DETAILS = 40;
/** Link of a row of the list. */
const ROW = 'tr[data-error] a';
/** Function of a call in a stack trace. */
const CALL = '[aria-label^="Stack trace"] .function';
const SORTS = ['users', 'frequency', 'first_seen', 'last_seen'];

/**
 * Measures the waiting times on pages of a large embedded store, in a real browser on the same cores.
 * Times end at the second animation frame after the change of the page.
 */
export async function measurePages(size: { readonly events: number; readonly errors: number }): Promise<PageFigures> {
  const path = chromiumPath();
  if (path === null) throw new Error('no browser: name one by ERRGATE_TEST_CHROMIUM');
  const fresh = embeddedStore();
  const service = await startService(fresh);
  const browser = await chromium.launch({ executablePath: path, args: ARGUMENTS });
  try {
    await withStore(fresh, service, (store) => seedStore(store, service.first.project_id, size));
    const list = `${service.first.url}/${service.first.project_path}/-/error_tracking`;
    const state = await signedIn(browser, service);
    /** Milliseconds of each visit with an empty cache. */
    const cold = async (address: string, painted: string): Promise<readonly number[]> => {
      const times: number[] = [];
      for (let load = 0; load < COLD_LOADS; load += 1) {
        const context = await browser.newContext({ storageState: state });
        times.push(await loaded(await context.newPage(), address, painted));
        await context.close();
      }
      return times;
    };
    const coldList = await cold(list, ROW);
    const context = await browser.newContext({ storageState: state });
    const page = await context.newPage();
    await loaded(page, list);
    const first = await page.locator(ROW).first().getAttribute('href');
    const coldDetails = await cold(new URL(first ?? '', list).href, CALL);
    const filter: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) filter.push(await resorted(page, SORTS[change % 4] ?? ''));
    const details: number[] = [];
    for (let visit = 0; visit < DETAILS; visit += 1) {
      details.push(await opened(page, visit % 20));
      await page.goBack();
      await page.locator('tr[data-error]').first().waitFor();
    }
    const longestScrollTask = await scrolled(page, service, list);
    const both = (times: readonly number[]): readonly [number, number] => [
      percentile(times, 0.5),
      percentile(times, 0.95),
    ];
    return {
      ...size,
      coldList: both(coldList),
      coldDetails: both(coldDetails),
      filter: both(filter),
      details: both(details),
      longestScrollTask,
    };
  } finally {
    await browser.close();
    await service.remove();
  }
}

/** Signs in as the administrator and returns the cookies. */
async function signedIn(
  browser: Browser,
  { first }: Service,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  await changeFirstPassword(first.url, first);
  const context = await browser.newContext();
  await signInAs(context, first.url, first.username, PASSWORD);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Milliseconds from the start of the navigation until the first element `painted` is painted and can be clicked. */
async function loaded(page: Page, address: string, painted = ROW): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.querySelector('${painted}') === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now()));
    look();
  })`);
}

/** Milliseconds from the choice of another order until its rows are painted, even if they are the same. */
async function resorted(page: Page, sort: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const select = [...document.querySelectorAll('select')].find((one) => one.value !== '${sort}' && [...one.options].some(({ value }) => value === '${sort}'));
    performance.clearResourceTimings();
    const from = performance.now();
    select.value = '${sort}';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    const answered = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/error_tracking/errors?'));
    const look = () => !answered() || document.querySelector('tr[data-error]') === null || document.querySelector('.list .old') !== null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now() - from));
    requestAnimationFrame(look);
  })`);
}

/** Milliseconds from the click on a row until its stack trace is painted. */
async function opened(page: Page, row: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const links = document.querySelectorAll('tr[data-error] a');
    const from = performance.now();
    links[${row} % links.length].click();
    const look = () => document.querySelector('${CALL}') === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now() - from));
    requestAnimationFrame(look);
  })`);
}

/** Sends one error with 250 frames and 100 breadcrumbs and scrolls through its page. */
async function scrolled(page: Page, service: Service, list: string): Promise<number> {
  const now = Date.now() / 1000;
  const values = Array.from({ length: 100 }, (_, index) => ({
    timestamp: now - index,
    category: 'query',
    message: `SELECT ${index} FROM orders`,
  }));
  const exception = { type: 'LongTraceError', value: 'long', stacktrace: { frames: frames(250) } };
  const changes = { exception: { values: [exception] }, breadcrumbs: { values } };
  await sendEvent(service.first, richEvent(now, changes));
  const row = page.locator('tr[data-error] a', { hasText: 'LongTraceError' });
  for (let look = 0; look < 50 && (await row.count()) === 0; look += 1) {
    await loaded(page, `${list}?search=LongTraceError`).catch(() => 0);
  }
  await row.first().click();
  await page.locator('[aria-label^="Stack trace"] .function').first().waitFor();
  await page.waitForTimeout(1000);
  return page.evaluate<number>(`new Promise((resolve) => {
    let longest = 0;
    new PerformanceObserver((seen) => {
      for (const task of seen.getEntries()) longest = Math.max(longest, task.duration);
    }).observe({ type: 'longtask' });
    const step = () => {
      const before = scrollY;
      scrollBy(0, 400);
      if (scrollY === before) setTimeout(() => resolve(longest), 300);
      else requestAnimationFrame(step);
    };
    step();
  })`);
}
