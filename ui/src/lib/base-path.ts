/**
 * Path of the external address without a trailing slash: empty, or `/errgate`. The server writes it into the page.
 */
export const basePath: string = new URL(document.baseURI).pathname.replace(/\/+$/, '');
