import { levelColour } from '../channels/level-looks.ts';
import { SHOW_ALL } from '../channels/fit.ts';
import { htmlText } from '../event-text.ts';
import { type ErrorWords, type MessageWords, moreInWords, type PartWords } from '../words.ts';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "font-family:ui-monospace,Menlo,Consolas,'Liberation Mono',monospace;font-size:13px";
const BREAK = 'word-break:break-word;overflow-wrap:anywhere';

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
function strange(text: string): string {
  return htmlText(text).replace(/[.@](?=\w)/g, '<span>$&</span>');
}

const row = (content: string): string => `<tr><td>${content}</td></tr>`;

function errorRow(error: ErrorWords): string {
  const reason = error.reason === null ? '' : `, ${htmlText(error.reason)}`;
  const message =
    error.message === null
      ? ''
      : `<div class="dim" style="${MONO};${BREAK};color:#4b5263;margin-top:4px">${strange(error.message)}</div>`;
  const places = error.places.map((place) => ` · ${strange(place)}`).join('');
  return row(
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr>` +
      `<td width="4" style="background:${levelColour(error.level)};border-radius:2px"></td>` +
      `<td style="padding:0 0 0 12px">` +
      `<div class="text" style="${FONT};font-size:14px;line-height:20px;color:#1d2129">` +
      `<a class="text" href="${htmlText(error.url)}" style="color:#1d2129;font-weight:600">${htmlText(error.label)}</a>${reason}</div>` +
      `<div class="code" style="${MONO};${BREAK};background:#f3f4f6;color:#1d2129;padding:6px 8px;margin-top:4px;border-radius:4px">${strange(error.title)}</div>` +
      message +
      `<div class="dim" style="${FONT};${BREAK};font-size:12px;line-height:18px;color:#5b6270;margin-top:4px">${htmlText(error.size)}${places}</div>` +
      `</td></tr></table>`,
  );
}

function button(url: string): string {
  return row(
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr><td class="button">` +
      `<a href="${htmlText(url)}" style="${FONT};display:inline-block;font-size:14px;font-weight:600;background:#2f5fe3;color:#ffffff;text-decoration:none;padding:9px 16px;border-radius:6px">${SHOW_ALL}</a>` +
      `</td></tr></table>`,
  );
}

function line(text: string, look: 'text' | 'dim', size = 14): string {
  const colour = look === 'text' ? '#1d2129' : '#5b6270';
  return row(
    `<p class="${look}" style="${FONT};${BREAK};font-size:${size}px;line-height:1.45;color:${colour};margin:0 0 12px">${text}</p>`,
  );
}

function partRows(part: PartWords, isOne: boolean): string {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [line(`<strong>${htmlText(part.headline)}</strong>`, 'text', 16)]),
    ...(part.release === null ? [] : [line(`Release ${strange(part.release)}`, 'text')]),
    ...part.errors.map(errorRow),
    ...(more === null ? [] : [line(htmlText(more), 'text')]),
    button(part.url),
  ].join('\n');
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

/**
 * Returns the HTML part of a mail: tables with inline styles, as old clients need them, nothing loaded from elsewhere,
 * and no markup from text of events.
 */
export function mailHtml(words: MessageWords, footer: readonly FooterLine[]): string {
  const { parts } = words;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">',
    `<title>${htmlText(words.headline)}</title><style>:root { color-scheme: light dark; }\n${DARK}</style></head>`,
    '<body class="page" style="margin:0;padding:0;background:#eef0f3">',
    '<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#eef0f3"><tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid #d9dde3;border-radius:8px"><tr><td style="padding:24px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0">',
    row(
      `<h1 class="text" style="${FONT};${BREAK};font-size:20px;line-height:26px;color:#1d2129;margin:0 0 8px">${htmlText(words.headline)}</h1>`,
    ),
    ...(words.period === null ? [] : [line(htmlText(words.period), 'dim', 13)]),
    ...(words.note === null ? [] : [line(strange(words.note), 'text')]),
    ...parts.map((part) => partRows(part, parts.length === 1)),
    '</table></td></tr></table>',
    '<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px"><tr><td style="padding:16px 24px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0">',
    ...footer.map(footerLine),
    '</table></td></tr></table></td></tr></table></body></html>',
    '',
  ].join('\n');
}
