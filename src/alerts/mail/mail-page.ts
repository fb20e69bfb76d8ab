import { htmlText } from '../event-text.ts';

export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const MONO = "font-family:ui-monospace,Menlo,Consolas,'Liberation Mono',monospace;font-size:13px";
export const BREAK = 'word-break:break-word;overflow-wrap:anywhere';

/**
 * Colours of dark mode. Clients without media queries invert the light colours or keep them; both are legible, because
 * text and ground are always set together.
 */
const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #16181d !important; }
.card { background: #20232a !important; border-color: #363b45 !important; }
.text, .card a { color: #e6e8ec !important; }
.dim { color: #a3a9b5 !important; }
.code { background: #16181d !important; color: #f0f1f4 !important; }
.button a { background: #2f5fe3 !important; color: #ffffff !important; }
}`;

/**
 * Escapes text of events, and divides what mail clients would turn into a link: host names and mail addresses. The
 * text can still be copied as it is.
 */
export function strange(text: string): string {
  return htmlText(text).replace(/[.@](?=\w)/g, '<span>$&</span>');
}

export const row = (content: string): string => `<tr><td>${content}</td></tr>`;

/** Returns a link that looks like a button. */
export function button(url: string, text: string): string {
  return row(
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr><td class="button">` +
      `<a href="${htmlText(url)}" style="${FONT};display:inline-block;font-size:14px;font-weight:600;background:#2f5fe3;color:#ffffff;text-decoration:none;padding:9px 16px;border-radius:6px">${htmlText(text)}</a>` +
      `</td></tr></table>`,
  );
}

/** Returns a paragraph. `text`: HTML. */
export function line(text: string, look: 'text' | 'dim', size = 14): string {
  const colour = look === 'text' ? '#1d2129' : '#5b6270';
  return row(
    `<p class="${look}" style="${FONT};${BREAK};font-size:${size}px;line-height:1.45;color:${colour};margin:0 0 12px">${text}</p>`,
  );
}

/** Line below the message; with an address it is a link. */
export interface FooterLine {
  readonly text: string;
  readonly url?: string;
}

function footerLine({ text, url }: FooterLine): string {
  const shown = htmlText(text);
  return line(
    url === undefined ? shown : `<a class="dim" href="${htmlText(url)}" style="color:#5b6270">${shown}</a>`,
    'dim',
    12,
  );
}

/** Parts of a mail, as HTML in rows of a table, except the plain title. */
interface MailPage {
  readonly title: string;
  readonly rows: readonly string[];
  readonly footer: readonly FooterLine[];
}

/**
 * Returns the HTML part of a mail: tables with inline styles, as old clients need them, nothing loaded from elsewhere,
 * and no markup from texts of others.
 */
export function mailPage({ title, rows, footer }: MailPage): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">',
    `<title>${htmlText(title)}</title><style>:root { color-scheme: light dark; }\n${DARK}</style></head>`,
    '<body class="page" style="margin:0;padding:0;background:#eef0f3">',
    '<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#eef0f3"><tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid #d9dde3;border-radius:8px"><tr><td style="padding:24px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0">',
    row(
      `<h1 class="text" style="${FONT};${BREAK};font-size:20px;line-height:26px;color:#1d2129;margin:0 0 8px">${htmlText(title)}</h1>`,
    ),
    ...rows,
    '</table></td></tr></table>',
    '<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px"><tr><td style="padding:16px 24px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0">',
    ...footer.map(footerLine),
    '</table></td></tr></table></td></tr></table></body></html>',
    '',
  ].join('\n');
}
