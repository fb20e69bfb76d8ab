import { AppError } from '../../domain/app-error.ts';

/** Returns a header of a request; empty when it is missing. */
type Header = (name: string) => string;

/**
 * Returns true when the browser reports that another site made the request. Programs and old browsers report nothing.
 */
export function isFromOtherSite(header: Header): boolean {
  const site = header('Sec-Fetch-Site');
  return site !== '' && site !== 'same-origin' && site !== 'none';
}

/** Returns true for the origins that may sign in: the external address and the requested host. */
function isOurOrigin(origin: string, host: string, externalUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: from, origin: exact } = new URL(origin);
  return from === host.toLowerCase() || exact === new URL(externalUrl).origin;
}

/** Throws `cross_site_request` when another site made the request. Prevents login CSRF. */
export function assertOwnSite(header: Header, externalUrl: string): void {
  const origin = header('Origin');
  if (isFromOtherSite(header) || (origin !== '' && !isOurOrigin(origin, header('Host'), externalUrl))) {
    throw new AppError('cross_site_request', 'This request was made by another site. Open the page here and sign in.');
  }
}
