/** Control of a page in a browser, or in a simulated document. */
interface Control {
  check(): Promise<void>;
  fill(value: string): Promise<void>;
}

/** Page with the form. */
interface FormPage<T extends Control> {
  getByRole(role: 'button' | 'radio', options: { readonly name: string; readonly exact?: boolean }): T;
  getByLabel(text: string): T;
}

/** Exact message of the tracker form after a failed Connect. */
export const CONNECT_FAILED = 'Connection failed. Check auth token and try again';

/** Message after a successful Connect. The name is that of the token's account, if the tracker sends it. */
export const CONNECTED = /^\s*Connected( as .+)?, \d+ projects?\s*$/;

export const connectButton = <T extends Control>(page: FormPage<T>): T =>
  page.getByRole('button', { name: 'Connect', exact: true });
export const saveButton = <T extends Control>(page: FormPage<T>): T =>
  page.getByRole('button', { name: 'Save changes' });

/** Selects the third-party backend and enters its address and token. */
export async function fillInTracker(page: FormPage<Control>, address: string, token: string): Promise<void> {
  await page.getByRole('radio', { name: 'Third-party' }).check();
  await page.getByLabel('API URL').fill(address);
  await page.getByLabel('Auth token').fill(token);
}
