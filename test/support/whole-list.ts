/** Page of a browser, or of a simulated document. */
interface ListedPage {
  goto(address: string): Promise<unknown>;
  locator(selector: string): { first(): { waitFor(): Promise<void> } };
}

/**
 * Opens the list of errors of a project without an external tracker, and waits until it is whole: with its rows, and the
 * counts of its tabs, which are asked for once it is known what the backend can do. Before, some keys do nothing, and
 * parts of the page still come.
 */
export async function openWholeList(page: ListedPage, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('tr[data-error]').first().waitFor();
  await page.locator('#tab-count-all').first().waitFor();
}
