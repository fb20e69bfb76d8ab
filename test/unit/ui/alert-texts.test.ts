import assert from 'node:assert/strict';
import { deliveryText } from '../../../ui/src/pages/alerts/delivery-text.ts';
import { activityLines, alertText } from '../../../ui/src/pages/error/activity-entries.ts';
import { factText } from '../../../ui/src/pages/error/fact-text.ts';

describe('texts about alerts', () => {
  const none = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

  it('say what a message is about', () => {
    for (const [delivery, text] of [
      [{ kind: 'test', counts: none, note: '' }, 'Test'],
      [{ kind: 'heartbeat', counts: none, note: 'All is well' }, 'All is well'],
      [{ kind: 'trouble', counts: none, note: '#ops takes no messages' }, '#ops takes no messages'],
      [{ kind: 'facts', counts: { ...none, new: 1 }, note: '' }, '1 new error'],
      [
        { kind: 'facts', counts: { ...none, new: 1000, regressed: 1, unmuted: 2 }, note: '' },
        '1,000 new, 1 regressed and 2 unmuted errors',
      ],
      [{ kind: 'facts', counts: none, note: '' }, 'No errors of this project'],
    ] as const) {
      assert.equal(deliveryText(delivery), text);
    }
  });

  it('say what happened to an error', () => {
    for (const [fact, text] of [
      [{ fact: 'new', cause: {} }, 'New error'],
      [{ fact: 'regressed', cause: {} }, 'Came back after it was resolved'],
      [{ fact: 'unmuted', cause: { reason: 'events' } }, 'No longer ignored: it happened often enough'],
      [{ fact: 'unmuted', cause: {} }, 'No longer ignored'],
      [{ fact: 'escalated', cause: { users: 1000 } }, 'Reached 1,000 users'],
      [{ fact: 'escalated', cause: { spike: { events: 400, mean: 1.2 } } }, '400 events in an hour, usually 1'],
      [{ fact: 'escalated', cause: { threshold: { events: 10, minutes: 5 } } }, '10 events in 5 minutes'],
    ] as const) {
      assert.equal(factText(fact), text);
    }
  });

  it('say to whom it was reported', () => {
    type Delivery = Parameters<typeof alertText>[0]['deliveries'][number];
    const to = (name: string, state: Delivery['state']): Delivery => ({
      ...{
        id: null,
        to: { kind: 'channel', id: 1, name },
        state,
        attempts: 1,
        at: '2026-03-10T12:00:00Z',
        answer: null,
      },
    });
    for (const [deliveries, text] of [
      [[to('#ops', 'sent')], 'Sent to #ops: New error'],
      [[to('#ops', 'sent'), to('Ada', 'sent'), to('Bo', 'sent')], 'Sent to #ops, Ada and Bo: New error'],
      [['a', 'b', 'c', 'd'].map((name) => to(name, 'sent')), 'Sent to a, b and 2 others: New error'],
      [[to('#ops', 'waiting'), to('Ada', 'sending')], 'To be sent to #ops and Ada: New error'],
      [[to('#ops', 'failed'), to('Ada', 'dropped')], 'Not sent to #ops and Ada: New error'],
      [[to('#ops', 'failed'), to('Ada', 'sent')], 'Alert to #ops and Ada: New error (1 sent, 1 not sent)'],
    ] as const) {
      assert.equal(alertText({ fact: 'new', cause: {}, deliveries: [...deliveries] }), text);
    }
  });

  it('stand beside what the log tells, once and in order of time', () => {
    const regressed = {
      ...{ kind: 'regressed', created_at: '2026-03-10T12:00:00.000Z', user: null, assignee: null, release: 'shop@2' },
      ...{ reason: null, error_ids: null, source: null, issue_id: null, issue_title: null, issue_url: null },
    } as unknown as Parameters<typeof activityLines>[1][number];
    const about = { release: 'shop@2', environment: null, silence: null, deliveries: [] };
    const lines = activityLines(
      [],
      [regressed],
      [
        { fact: 'regressed', cause: {}, at: '2026-03-10T12:00:00Z', ...about },
        { fact: 'new', cause: {}, at: '2026-03-09T12:00:00Z', ...about, silence: 'No rule reports it.' },
      ],
    );
    assert.deepEqual(
      lines.map(({ text, more }) => [text, more]),
      [
        ['It came back in shop@2', 'shop@2. Not reported yet.'],
        ['New error', 'shop@2. Not reported: No rule reports it.'],
      ],
    );
  });

  it('name the agent through which a person did something', () => {
    const none = { assignee: null, release: null, reason: null, error_ids: null, source: null, issue_id: null };
    const entry = {
      ...{ created_at: '2026-03-10T12:00:00.000Z', user: { id: 1, username: 'ada', name: 'Ada' }, agent: 'claude' },
      ...{ ...none, issue_title: null, issue_url: null, note_id: null, status_details: {} },
    } as const;
    const note = { id: '7', author_name: 'Ada', created_at: entry.created_at, text: 'why' };
    const lines = activityLines(
      [note] as unknown as Parameters<typeof activityLines>[0],
      [
        { ...entry, kind: 'resolved' },
        { ...entry, kind: 'note_added', note_id: '7' },
      ] as unknown as Parameters<typeof activityLines>[1],
      [],
    );
    assert.deepEqual(
      lines.map(({ text, more }) => [text, more]),
      [
        ['', 'through an agent (claude)'],
        ['Ada through an agent (claude) resolved it', ''],
      ],
    );
  });

  it('tell a reason that several share once, with the newest', () => {
    const about = { cause: {}, release: null, environment: null, deliveries: [] };
    const lines = activityLines(
      [],
      [],
      [
        { ...about, fact: 'new', at: '2026-03-08T12:00:00Z', silence: 'Mail is not configured.' },
        { ...about, fact: 'escalated', at: '2026-03-10T12:00:00Z', silence: 'Mail is not configured.' },
        { ...about, fact: 'regressed', at: '2026-03-09T12:00:00Z', silence: 'No rule reports it.' },
      ],
    );
    assert.deepEqual(
      lines.map(({ more }) => more),
      ['Not reported: Mail is not configured.', 'Not reported: No rule reports it.', 'Not reported.'],
    );
  });
});
