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

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Returns a page without scripts, styles and foreign content. */
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
