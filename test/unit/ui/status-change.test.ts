import assert from 'node:assert/strict';
import { ignoreChoices } from '../../../ui/src/pages/errors/ignore-choices.ts';
import { changeBack, changed, changedText } from '../../../ui/src/pages/errors/status-change.ts';

const NOW = Date.parse('2026-11-24T09:00:00Z');

describe('changes of a status', () => {
  it('are taken back to what the error waited for', () => {
    const back = (status_details: Parameters<typeof changeBack>[0]['status_details'], status = 'ignored' as const) =>
      changeBack({ status, status_details }, NOW);
    assert.deepEqual(back({}), { status: 'ignored' });
    assert.deepEqual(back(null), { status: 'ignored' });
    assert.deepEqual(back({ ignoreCount: 5, ignoreUntil: '2026-11-24T09:00:00Z' }), {
      status: 'ignored',
      details: { ignoreCount: 5 },
    });
    assert.deepEqual(back({ ignoreUntil: '2026-11-24T09:00:01Z' }), {
      status: 'ignored',
      details: { ignoreUntil: '2026-11-24T09:00:01Z' },
    });
    const resolved = { status: 'resolved', status_details: { inNextRelease: true, afterRelease: '1.0' } } as const;
    assert.deepEqual(changeBack(resolved, NOW), { status: 'resolved', details: { inNextRelease: true } });
  });

  it('show at once what the error waits for; trackers tell no such thing', () => {
    const to = { status: 'ignored', details: { ignoreCount: 100 } } as const;
    assert.deepEqual(changed({ status: 'unresolved', status_details: {} }, to), {
      status: 'ignored',
      status_details: { ignoreCount: 100 },
    });
    assert.deepEqual(changed({ status: 'ignored', status_details: { ignoreCount: 1 } }, { status: 'resolved' }), {
      status: 'resolved',
      status_details: {},
    });
    assert.equal(changed({ status: 'unresolved', status_details: null }, to).status_details, null);
    assert.equal(changedText(to), 'Ignored until 100 more events');
    assert.equal(changedText({ status: 'unresolved' }), 'Reopened');
  });

  it('offer the next morning and that of a week later, in the zone of the browser', () => {
    const choices = ignoreChoices(new Date(2026, 11, 31, 23, 59));
    assert.deepEqual(
      choices.map(({ label, details }) => [label, details.ignoreUntil]),
      [
        ['Until tomorrow', new Date(2027, 0, 1, 9).toISOString()],
        ['For a week', new Date(2027, 0, 7, 9).toISOString()],
      ],
    );
    assert.match(choices[0]?.hint ?? '', /^Fri,? 1 Jan,? 09:00$/);
  });
});
