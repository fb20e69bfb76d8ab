/** Path of the external address without a slash at the end: empty, or `/errgate`. The server wrote it into the page. */
export const basePath: string = new URL(document.baseURI).pathname.replace(/\/+$/, '');
