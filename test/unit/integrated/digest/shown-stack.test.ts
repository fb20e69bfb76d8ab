import assert from 'node:assert/strict';
import { normaliseEvent } from '../../../../src/integrated/digest/normalise/normalise-event.ts';
import { titleOf } from '../../../../src/integrated/digest/title.ts';

const origin = { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 20), sentAt: null, clientIp: null };

function titleOfGroup(members: readonly { type: string; value: string }[]): string {
  const values = members.map((member, index) => ({
    ...member,
    mechanism: { type: 'chained', exception_id: index + 1, parent_id: 0 },
  }));
  const root = {
    type: 'ExceptionGroup',
    value: `many (${members.length} sub-exceptions)`,
    mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
  };
  const raw = { platform: 'python', exception: { values: [...values.reverse(), root] } };
  const result = normaliseEvent(raw, origin, { inAppInclude: [], inAppExclude: [] });
  assert.equal(result.kind, 'event');
  return titleOf(result.event);
}

describe('the exception that is shown', () => {
  it('is the member when all exceptions of the group have one type', () => {
    assert.equal(
      titleOfGroup([
        { type: 'KeyError', value: 'id' },
        { type: 'KeyError', value: 'id' },
      ]),
      'KeyError: id',
    );
  });

  it('is the group itself when it has several types', () => {
    assert.equal(
      titleOfGroup([
        { type: 'KeyError', value: 'id' },
        { type: 'OSError', value: 'gone' },
      ]),
      'ExceptionGroup: many (2 sub-exceptions)',
    );
  });
});
