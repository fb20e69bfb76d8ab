import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

describeInDom('texts of the pages', (world) => {
  const ids: string[] = [];

  before(async () => {
    for (const message of ['alpha', 'beta', 'gamma']) await sendEvent(world().target, { message });
    const errors = await eventually(
      () => world().api('GET', ERRORS) as Promise<readonly { readonly id: string }[]>,
      (all) => all.length === 3,
    );
    ids.push(...errors.map(({ id }) => id));
  });

  it('explain each setting of a project', async () => {
    const page = await world().page();
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    for (const text of [
      'Events are accepted, and members see the errors here.',
      'errgate stores the errors.',
      'Errors stay in that tracker; you view and resolve them here.',
      'These settings add to the instance settings and cannot loosen them. They apply to new events.',
      'Instance default: kept.',
      'The stricter of project and instance limits applies. Dropped events are under',
      'One field name per line, or separated by commas. Case-insensitive.',
    ]) {
      await sees(page, text);
    }
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'System' }).waitFor();
  });

  it('name the shortcuts, and the way to errors of other statuses', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?search=nothing+like+it`);
    await page.getByRole('button', { name: 'Search all statuses' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('?');
    const selects = 'Select the page, then all that match on other pages, then nothing';
    for (const text of ['Resolve or unresolve', selects, 'Undo last action', 'Clear selection']) {
      await dialog.getByText(text, { exact: true }).waitFor();
    }
    await page.goto(`${world().list}/${ids[0] ?? ''}/details`);
    await sees(page, 'No stack trace for this error');
    await page.keyboard.press('?');
    for (const text of ['Resolve or unresolve', 'Back to errors']) {
      await dialog.getByText(text, { exact: true }).waitFor();
    }
  });

  it('say that the charts of projects count by receipt', async () => {
    const page = await world().page();
    await page.goto('/');
    await sees(page, 'by receipt');
  });

  it('give the exact number of errors up to 10,000', async () => {
    const page = await world().page();
    for (const [count, text] of [
      [5200, '5,200'],
      [10_000, '10,000+'],
    ] as const) {
      await page.route('**/api/v4/error_tracking/projects?**', async (route) => {
        const response = await route.fetch();
        const overviews = (await response.json()) as object[];
        return route.fulfill({ response, json: overviews.map((one) => ({ ...one, unresolved_count: count })) });
      });
      await page.goto('/');
      await page.getByTitle(`${text} unresolved`).waitFor();
    }
  });

  it('tell what merging and unmerging do', async () => {
    await world().api('POST', `${ERRORS}/${ids[0] ?? ''}/merge`, { ids: [ids[1]] });
    const [merged] = (await world().api('GET', `${ERRORS}?sort=frequency`)) as readonly { readonly id: string }[];
    const page = await world().page();
    await page.route('**/error_tracking/errors?**', async (route) => {
      const response = await route.fetch();
      const link = `<${world().url}/more?cursor=more>; rel="next"`;
      return route.fulfill({ response, headers: { link } });
    });
    await page.goto(`${world().list}/${merged?.id ?? ''}/details`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Merge…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge into this error' });
    await dialog.getByText('Their events are combined under the oldest error. You can unmerge at any time.').waitFor();
    await dialog.getByText('Most recent. Search for more.').waitFor();
    await dialog.getByLabel('Search errors').fill('a');
    await dialog.getByText('Showing the first 1. Refine your search.').waitFor();
    await page.goto(`${world().list}/${merged?.id ?? ''}/details`);
    await page.getByRole('button', { name: /^Unmerge/ }).click();
    await sees(page, 'Unmerged 1 error');
  });
});
