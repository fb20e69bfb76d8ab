import assert from 'node:assert/strict';
import { messageWords, moreInWords } from '../../../src/alerts/words.ts';
import type { FactCounts, NamedError } from '../../../src/domain/alerts/alert-message.ts';
import {
  alertMessage,
  AT,
  floodMessage,
  messageSaying,
  namedError,
  projectPart,
} from '../../support/alert-messages.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';

const counts = (patch: Partial<FactCounts>): FactCounts => ({
  new: 0,
  regressed: 0,
  escalated: 0,
  unmuted: 0,
  ...patch,
});

function wordsOf(named: Partial<NamedError>) {
  return messageWords(alertMessage({ parts: [projectPart({ errors: [namedError(named)] })] }));
}

describe('messages in words', () => {
  for (const [given, expected] of [
    [{ new: 1000 }, '1,000 new errors in shop/cart'],
    [{ new: 1 }, '1 new error in shop/cart'],
    [{ regressed: 2 }, '2 regressed errors in shop/cart'],
    [{ unmuted: 1 }, '1 error no longer ignored in shop/cart'],
    [{ new: 1000, regressed: 2, escalated: 1 }, '1,000 new errors, 2 regressed and 1 escalated in shop/cart'],
    [{ escalated: 1, unmuted: 3 }, '1 escalated error and 3 no longer ignored in shop/cart'],
  ] as const) {
    it(`counts: ${expected}`, () => {
      const part = projectPart({ counts: counts(given), release: null });
      assert.equal(messageWords(alertMessage({ parts: [part] })).headline, expected);
    });
  }

  it('name the project, what happened and the title of a single error in the subject', () => {
    const title = "TypeError: Cannot read properties of undefined (reading 'total')";
    assert.equal(wordsOf({}).subject, `[shop/cart] New error: ${title}`);
    assert.equal(wordsOf({ fact: 'regressed' }).subject, `[shop/cart] Regressed: ${title}`);
    assert.equal(wordsOf({ fact: 'escalated' }).subject, `[shop/cart] Escalated: ${title}`);
    assert.equal(wordsOf({ fact: 'unmuted' }).subject, `[shop/cart] No longer ignored: ${title}`);
  });

  it('have the same numbers in subject and text, with the release of most', () => {
    const words = messageWords(floodMessage());
    assert.equal(words.headline, '1,000 new errors in shop/cart');
    assert.equal(words.subject, '1,000 new errors in shop/cart (cart@2.4.1)');
    assert.equal(moreInWords(words.parts[0]!, 10), 'and 990 more');
    assert.equal(moreInWords(words.parts[0]!, 1000), null);
    assert.equal(words.level, 'fatal');
  });

  it('add up projects', () => {
    const part = (path: string) => projectPart({ project: { id: 1, path, name: path }, counts: counts({ new: 500 }) });
    const words = messageWords(alertMessage({ parts: [part('a/b'), part('a/c'), part('a/d')] }));
    assert.equal(words.headline, '1,500 new errors in 3 projects');
    assert.equal(words.subject, words.headline);
    assert.deepEqual(
      words.parts.map(({ headline }) => headline),
      ['500 new errors in a/b', '500 new errors in a/c', '500 new errors in a/d'],
    );
  });

  for (const [named, expected] of [
    [{ fact: 'new' }, null],
    [{ fact: 'regressed' }, 'was resolved and came back'],
    [{ fact: 'escalated', cause: { users: 1000 } }, 'reached 1,000 users'],
    [{ fact: 'escalated', cause: { spike: { events: 4500, mean: 12.4 } } }, '4,500 events in an hour, usually 12'],
    [
      { fact: 'escalated', cause: { spike: { events: 100, mean: 0.2 } } },
      '100 events in an hour, usually less than one',
    ],
    [{ fact: 'escalated', cause: { threshold: { events: 100, minutes: 5 } } }, '100 events in 5 minutes'],
    [{ fact: 'escalated', cause: { threshold: { events: 1, minutes: 1 } } }, '1 event in a minute'],
    [{ fact: 'unmuted', cause: { reason: 'until' } }, 'its time is over'],
    [{ fact: 'unmuted', cause: { reason: 'events' } }, 'it happened often enough'],
  ] as const) {
    it(`say why: ${expected ?? 'new needs no reason'}`, () => {
      assert.equal(wordsOf(named).parts[0]!.errors[0]!.reason, expected);
    });
  }

  it('say the message once, and the release once', () => {
    const [error] = wordsOf({}).parts[0]!.errors;
    assert.equal(error!.message, null);
    assert.deepEqual(error!.places, ['production', 'cart/total.ts in sum']);
    const [other] = wordsOf({ release: 'cart@2.4.0' }).parts[0]!.errors;
    assert.deepEqual(other!.places, ['production', 'cart@2.4.0', 'cart/total.ts in sum']);
  });

  it('give the period in UTC, over midnight too', () => {
    const period = (since: number, until: number) => messageWords(alertMessage({ since, until })).period;
    assert.equal(period(AT, AT), '24 Nov 2026, 04:18 UTC');
    assert.equal(period(AT, AT + 120_000), '24 Nov 2026, 04:18 to 04:20 UTC');
    assert.equal(period(AT, AT + 86_400_000), '24 Nov 2026, 04:18 to 25 Nov 2026, 04:18 UTC');
  });

  it('say what a test, a heartbeat and trouble are', () => {
    const parts = [projectPart({ errors: [], counts: counts({}) })];
    const test = messageWords(alertMessage({ kind: 'test', parts }));
    assert.equal(test.subject, '[shop/cart] Test message');
    assert.equal(test.note, 'This is a test: alerts of shop/cart arrive here.');
    assert.deepEqual(test.parts, []);
    const heartbeat = messageWords(
      alertMessage({ kind: 'heartbeat', parts: [], note: 'Nothing happened since yesterday.' }),
    );
    assert.equal(heartbeat.subject, '[errgate] All is well');
    assert.equal(heartbeat.note, 'Nothing happened since yesterday.');
  });

  it('are one line each, whatever an event says', () => {
    for (const text of HOSTILE_TEXTS) {
      const { subject, headline, parts } = messageWords(messageSaying(text));
      const [error] = parts[0]!.errors;
      for (const line of [subject, headline, error!.title, error!.message ?? '', ...error!.places]) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|:\/\//u, JSON.stringify(text));
      }
    }
  });
});
