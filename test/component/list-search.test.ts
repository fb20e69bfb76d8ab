import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInDom, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const rowOf = (page: DomPage, title: string) => page.locator('tr[data-error]', { hasText: title });
const searchOf = (page: DomPage) => page.getByRole('combobox', { name: 'Search errors' });

describeInDom('the search of the list', (world) => {
  before(async () => {
    const events = ['fatal', 'error', 'warning'].map((level) => ({
      message: `one of ${level}`,
      level,
      fingerprint: [level],
      tags: { browser: level === 'fatal' ? 'Mobile Safari' : 'Firefox 140' },
    }));
    await sendEvents(world().target, events);
    await eventually(
      () => world().api('GET', ERRORS) as Promise<readonly unknown[]>,
      (errors) => errors.length === 3,
    );
  });

  it('says which keys there are, when one is unknown', async () => {
    const page = await world().page({ expected: /400/ });
    await page.goto(world().list);
    await searchOf(page).fill('colour:red');
    await page.getByText(/^There is no search key colour:/).waitFor();
    assert.equal(await searchOf(page).getAttribute('aria-invalid'), 'true');
    await searchOf(page).press('Escape');
    await page.getByRole('heading', { name: 'This search is not valid' }).waitFor({ state: 'detached' });
    await rowOf(page, 'one of error').waitFor();
    await assertAccessible(page);
  });

  it('joins conditions by AND, and says what to write for OR', async () => {
    const page = await world().page({ expected: /400/ });
    await page.goto(world().list);
    await searchOf(page).fill('level:fatal AND of AND browser:Mobile*');
    await page.keyboard.press('Enter');
    await rowOf(page, 'one of error').waitFor({ state: 'detached' });
    await rowOf(page, 'one of fatal').waitFor();
    await page.goto(world().list);
    await searchOf(page).fill('level:fatal OR level:error ');
    await page.getByText(/^OR is not supported: list the values of a key, as in level:\[fatal,error\]/).waitFor();
    await searchOf(page).fill('times_seen:>100 ');
    await page.getByText('Errors cannot be searched by times_seen: here; order the list by events.').waitFor();
  });
});
