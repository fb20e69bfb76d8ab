import type { Locator, Page } from 'playwright-core';

/** What the form of an external tracker says when Connect failed, word for word. */
export const CONNECT_FAILED = 'Connection failed. Check auth token and try again';

/** What it says when it has the projects; the name is that of the token's account, where the tracker tells it. */
export const CONNECTED = /^\s*Connected( as .+)?, \d+ projects?\s*$/;

export const connectButton = (page: Page): Locator => page.getByRole('button', { name: 'Connect', exact: true });
export const saveButton = (page: Page): Locator => page.getByRole('button', { name: 'Save changes' });

/** Chooses the third-party backend and says where it is. */
export async function fillInTracker(page: Page, address: string, token: string): Promise<void> {
  await page.getByRole('radio', { name: 'Third-party' }).check();
  await page.getByLabel('API URL').fill(address);
  await page.getByLabel('Auth token').fill(token);
}
