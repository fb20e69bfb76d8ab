import assert from 'node:assert/strict';
import type { AlertRule } from '../../../ui/src/api/alerts-api.ts';
import { newRule } from '../../../ui/src/pages/alerts/rule-draft.ts';
import { reaches, reportSentence, ruleSentence, type RuleNames } from '../../../ui/src/pages/alerts/rule-sentence.ts';

type Part<K extends 'when' | 'only' | 'to' | 'how'> = Partial<AlertRule[K]>;

const NAMES: RuleNames = {
  members: 4,
  users: new Map([[7, 'Grace']]),
  channels: new Map([
    [1, '#ops'],
    [2, 'Pager'],
  ]),
  mail: true,
};

function rule(part: { when?: Part<'when'>; only?: Part<'only'>; to?: Part<'to'>; how?: Part<'how'> } = {}) {
  const { when, only, to, how } = newRule('x', 'UTC');
  return {
    when: { ...when, ...part.when },
    only: { ...only, levels: [], except_environments: [], ...part.only },
    to: { ...to, channels: [], ...part.to },
    how: { ...how, ...part.how },
  };
}

describe('a rule as a sentence', () => {
  const ALL = ['new', 'regressed', 'escalated', 'unmuted'] as const;
  const QUIET = ['development', 'dev', 'local', 'test'];

  for (const [part, sentence] of [
    [
      { when: { kinds: [...ALL] }, only: { levels: ['error', 'fatal'], except_environments: QUIET } },
      'New, regressed, escalated and unmuted errors of level error and up, except in development, dev, local and test, are mailed to 4 members.',
    ],
    [{}, 'New and regressed errors are mailed to 4 members.'],
    [{ to: { channels: 'all' } }, 'New and regressed errors are mailed to 4 members and sent to #ops and Pager.'],
    [{ when: { kinds: ['new'] }, to: { members: false, channels: [2, 99] } }, 'New errors are sent to Pager.'],
    [{ to: { users: [7, 8] } }, 'New and regressed errors are mailed to 4 members and Grace.'],
    [{ to: { members: false } }, 'New and regressed errors are sent to nobody.'],
    [{ when: { kinds: [] } }, 'Nothing is reported.'],
    [
      { when: { kinds: ['new'], threshold: { events: 1000, minutes: 1 }, users: 50 } },
      'Errors are mailed to 4 members when they are new, have 1,000 events in 1 minute or affect 50 users.',
    ],
    [
      { when: { kinds: [], users: 50 }, only: { levels: ['fatal'] } },
      'Errors of level fatal are mailed to 4 members when they affect 50 users.',
    ],
    [
      { when: { kinds: ['new', 'regressed'], threshold: { events: 10, minutes: 5 } } },
      'Errors are mailed to 4 members when they are new or regressed or have 10 events in 5 minutes.',
    ],
    [{ only: { levels: ['fatal'] } }, 'New and regressed errors of level fatal are mailed to 4 members.'],
    [
      { only: { levels: ['fatal', 'warning'] } },
      'New and regressed errors of level warning or fatal are mailed to 4 members.',
    ],
    [
      { only: { levels: ['debug', 'info', 'warning', 'error', 'fatal'] } },
      'New and regressed errors are mailed to 4 members.',
    ],
    [
      { only: { environments: ['production', 'staging'], except_environments: ['dev'] } },
      'New and regressed errors, only in production or staging, except in dev, are mailed to 4 members.',
    ],
    [
      { only: { contains: 'Pay‮', releases: ['1.0'], tags: ['pro', 'max'].map((value) => ({ key: 'plan', value })) } },
      'New and regressed errors that contain “Pay‹U+202E›” in release 1.0 with plan = pro or max are mailed to 4 members.',
    ],
    [{ how: { mode: 'hourly' } }, 'New and regressed errors are gathered for an hour and mailed to 4 members.'],
    [
      { how: { mode: 'daily', at: '08:30', zone: 'Europe/Berlin' } },
      'New and regressed errors are gathered and daily at 08:30 (Europe/Berlin) mailed to 4 members.',
    ],
    [
      { how: { quiet: { from: '22:00', to: '07:00' } } },
      'New and regressed errors are mailed to 4 members. Not between 22:00 and 07:00 (UTC): they wait.',
    ],
  ] as const satisfies readonly [Parameters<typeof rule>[0], string][]) {
    it(`is "${sentence}"`, () => {
      assert.equal(ruleSentence(rule(part), NAMES), sentence);
    });
  }

  it('names no people while mail is not configured', () => {
    const names = { ...NAMES, mail: false };
    assert.equal(
      ruleSentence(rule(), names),
      'New and regressed errors are mailed to members as soon as mail is set up.',
    );
    assert.deepEqual(
      [rule(), rule({ to: { channels: 'all' } }), rule({ to: { channels: [99] } })].map((one) => reaches(one, names)),
      [false, true, false],
    );
    assert.equal(reaches(rule(), NAMES), true);
  });

  it('sums up what several rules report at present', () => {
    const rules = [rule({ to: { channels: [1] } }), rule({ to: { members: false, channels: [2] } })];
    assert.equal(
      reportSentence(rules, NAMES),
      'Errors that match one of 2 rules are mailed to 4 members and sent to #ops and Pager.',
    );
    const names = { ...NAMES, mail: false };
    assert.equal(reportSentence(rules, names), 'Errors that match one of 2 rules are sent to #ops and Pager.');
    assert.equal(
      reportSentence([rule({ to: { channels: [1] } })], names),
      'New and regressed errors are sent to #ops.',
    );
    assert.equal(
      ruleSentence(rule({ to: { channels: [1] } }), names),
      'New and regressed errors are sent to #ops and mailed to members as soon as mail is set up.',
    );
  });
});
