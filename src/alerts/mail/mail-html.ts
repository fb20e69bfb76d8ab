import { levelColour } from '../channels/level-looks.ts';
import { SHOW_ALL } from '../channels/fit.ts';
import { htmlText } from '../event-text.ts';
import { type ErrorWords, type MessageWords, moreInWords, type PartWords } from '../words.ts';
import { BREAK, button, FONT, line, mailPage, MONO, row, strange, type FooterLine } from './mail-page.ts';

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

function partRows(part: PartWords, isOne: boolean): string {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [line(`<strong>${htmlText(part.headline)}</strong>`, 'text', 16)]),
    ...(part.release === null ? [] : [line(`Release ${strange(part.release)}`, 'text')]),
    ...part.errors.map(errorRow),
    ...(more === null ? [] : [line(htmlText(more), 'text')]),
    button(part.url, SHOW_ALL),
  ].join('\n');
}

/** Returns the HTML part of the mail of a message. */
export function mailHtml(words: MessageWords, footer: readonly FooterLine[]): string {
  const { headline, period, note, parts } = words;
  const rows = [
    ...(period === null ? [] : [line(htmlText(period), 'dim', 13)]),
    ...(note === null ? [] : [line(strange(note), 'text')]),
    ...parts.map((part) => partRows(part, parts.length === 1)),
  ];
  return mailPage({ title: headline, rows, footer });
}
