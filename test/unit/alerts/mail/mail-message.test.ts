import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeMail } from '../../../../src/alerts/mail/mail-message.ts';
import type { AlertMessage } from '../../../../src/domain/alerts/alert-message.ts';
import {
  alertMessage,
  EXTERNAL_URL,
  floodMessage,
  largestMessage,
  messageSaying,
} from '../../../support/alert-messages.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';

const TAGS = [
  'a',
  'body',
  'div',
  'h1',
  'head',
  'html',
  'meta',
  'p',
  'span',
  'strong',
  'style',
  'table',
  'td',
  'title',
  'tr',
];

function mailOf(message: AlertMessage) {
  return composeMail(
    message,
    { to: ['ada@example.com'], unsubscribeUrl: `${EXTERNAL_URL}/-/alerts/unsubscribe?token=7.x` },
    { domain: 'errors.example.com' },
  );
}

/** Checks that HTML has our tags and addresses only, and that every tag is closed as it should be. */
function assertOurMarkup(html: string, about: string): void {
  const shape: string[] = [];
  for (const [, end, name, rest] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/gi)) {
    assert.ok(TAGS.includes(name!), `${about}: ${name!}`);
    for (const [, attribute, value] of rest!.matchAll(/\s([a-z-]+)="([^"]*)"/g)) {
      assert.match(
        attribute!,
        /^(align|cellpadding|cellspacing|charset|class|content|href|lang|name|role|style|width)$/,
        about,
      );
      if (attribute === 'href') assert.ok(value!.startsWith(`${EXTERNAL_URL}/`), `${about}: ${value!}`);
    }
    if (end === '/') assert.equal(shape.pop(), name, about);
    else if (name !== 'meta') shape.push(name!);
  }
  assert.deepEqual(shape, [], about);
  // Nothing else begins a tag, and nothing is loaded.
  const bare = html.replace(/<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/gi, '');
  assert.equal(bare.replace('<!doctype html>', '').includes('<'), false, about);
  assert.doesNotMatch(html.replace(/(?<=>)[^<]*/g, ''), /\bsrc=|url\(|@import|javascript:/i, about);
}

describe('a mail', () => {
  it('is not moved by text of strangers', () => {
    for (const text of HOSTILE_TEXTS) {
      const mail = mailOf(messageSaying(text));
      assertOurMarkup(mail.html, JSON.stringify(text));
      assert.doesNotMatch(mail.subject, /[\p{Cc}\p{Cf}\p{Cs}]/u);
      for (const link of mail.text.match(/https?:\/\/\S+/g) ?? []) assert.ok(link.startsWith(`${EXTERNAL_URL}/`), link);
      for (const value of Object.values(mail.headers)) assert.doesNotMatch(value, /[\r\n]/);
    }
  });

  it('is not moved by any text', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '<script>',
      '</td>',
      '<!--',
      '\u202e',
      'https://',
      '\n',
      'a',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(parts).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, (said) => assertOurMarkup(mailOf(messageSaying(said)).html, JSON.stringify(said))),
      { numRuns: 100 },
    );
  });

  it('leaves no host names of strangers for clients to turn into links', () => {
    const { html } = mailOf(messageSaying('evil.example a@evil.example'));
    assert.doesNotMatch(html.replaceAll(/<[^>]*>/g, '|'), /evil\.example/);
    assert.match(html.replaceAll(/<[^>]*>/g, ''), /evil\.example a@evil\.example/);
    const { subject, text } = mailOf(messageSaying('go to evil.com/reset'));
    assert.doesNotMatch(`${subject}\n${text}`, /evil\.com/);
    assert.match(text, /go to evil\. com\/reset/);
  });

  it('says at its end why it was sent', () => {
    const footer = (message: AlertMessage) => /^-- \n(.*)$/m.exec(mailOf(message).text)?.[1];
    const message = messageSaying('x');
    const [part] = message.parts;
    assert.ok(part);
    assert.equal(footer(message), `errgate sends this because you are a member of ${part.project.path}.`);
    const several = { ...message, parts: [part, part] };
    assert.equal(footer(several), 'errgate sends this because you are a member of these projects.');
    const daily = { ...message, kind: 'heartbeat', parts: [] } as const;
    assert.equal(footer(daily), 'errgate sends this because you have an account there.');
  });

  it('is small, even at its largest', () => {
    assert.ok(mailOf(floodMessage()).html.length < 30_000);
    // Gmail cuts off what is beyond 102 KB.
    assert.ok(Buffer.byteLength(mailOf(largestMessage('<"&')).html) < 102_000);
  });

  it('names the same numbers in subject, text and HTML', () => {
    const mail = mailOf(floodMessage());
    for (const part of [mail.subject, mail.text, mail.html]) assert.ok(part.includes('1,000 new errors in shop/cart'));
    for (const part of [mail.text, mail.html]) assert.ok(part.includes('and 990 more'));
  });

  it('is in one thread with other mails about its error, and not with those about several', () => {
    assert.deepEqual(mailOf(alertMessage()).references, mailOf(alertMessage({ id: 'msg_other' })).references);
    assert.equal(mailOf(floodMessage()).references, undefined);
  });
});
