import { AppError } from '../../domain/app-error.ts';

/** Returns the host of an origin, with its port; null for `null` and what is none. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/**
 * Throws `cross_site_request` for a request that a page of another site made. Browsers name the origin with every POST,
 * programs do not. The host must be ours as well: else a page could point its own name at this machine.
 */
export function assertFromHere(header: (name: string) => string, externalUrl: string): void {
  const origin = header('Origin');
  if (origin === '' && header('Sec-Fetch-Site') === '') return;
  const { host, origin: own } = new URL(externalUrl);
  const isOurs = (origin === '' || new URL(own).host === hostOf(origin)) && header('Host').toLowerCase() === host;
  if (isOurs) return;
  throw new AppError('cross_site_request', 'This request was made by a page of another site.');
}
