import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';
import type { Reply } from '../../http/route.ts';

/** Page of one message, for people who come from elsewhere, such as a mail or an identity provider. */
export interface PlainPage {
  readonly title: string;
  readonly text: string;
  /** Markup after the text, such as a form to the own address. */
  readonly form?: string;
  readonly link: { readonly href: string; readonly text: string };
}

/** Style of the page: the only one that its policy lets through. */
const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}' +
  'main{margin:15vh auto 0;max-width:34rem;padding:0 1.25rem}h1{font-size:1.5rem}' +
  'button{font:inherit;margin:0 .5rem .5rem 0;padding:.375rem .75rem}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'no-referrer',
};

/** Returns a page without scripts and foreign content. */
export function plainPageReply(status: number, page: PlainPage, headers: Reply['headers'] = {}): Reply {
  const { title, text, form = '', link } = page;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form}
<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>
</main>
</body>
</html>
`;
  return { status, headers: { ...HEADERS, ...headers }, contentType: 'text/html; charset=utf-8', body };
}
