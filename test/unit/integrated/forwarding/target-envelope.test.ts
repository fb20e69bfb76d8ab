import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { parseTargetDsn } from '../../../../src/domain/projects/dsn.ts';
import { targetEnvelope } from '../../../../src/integrated/forwarding/target-envelope.ts';
import { forwardRecord } from '../../../support/forward-records.ts';
import { eventId } from '../../../support/journal-world.ts';

const DSN = parseTargetDsn('https://there@old.example:9000/sub/42');
const ID = eventId(7);

async function envelope(body: string | Buffer, paused: readonly string[] = [], encoding: string | null = null) {
  assert.ok(DSN !== null);
  const record = forwardRecord(7, { body: Buffer.from(body) }, { encoding });
  return targetEnvelope(record, DSN, (category) => paused.includes(category), 1_000_000);
}

describe('envelope for a target', () => {
  it('has another first line, and its items as they came', async () => {
    const rest = '\n{"type":"event","length":10}\n{"a":"\\n"}\n{"type":"attachment","length":3}\n\n\0\n\n';
    const header = { event_id: ID.toUpperCase(), sent_at: '2026-01-01T00:00:00Z', sdk: { name: 'x' } };
    const dsn = 'http://here@errgate.example/errortracking/api/v1/projects/1';
    const trace = { trace_id: 'ab', public_key: 'here', environment: 'prod' };
    const made = await envelope(JSON.stringify({ ...header, dsn, trace }) + rest);
    assert.ok(typeof made === 'object');
    const text = made.body.toString();
    const end = text.indexOf('\n');
    assert.deepEqual(JSON.parse(text.slice(0, end)), {
      ...header,
      dsn: 'https://there@old.example:9000/sub/42',
      trace: { ...trace, public_key: 'there' },
    });
    assert.equal(text.slice(end), rest);
    assert.equal(made.eventId, ID);
  });

  it('gets the id that the SDK was told where it has none, and nothing else', async () => {
    for (const header of ['{}', `{"event_id":"${'0'.repeat(32)}"}`]) {
      const made = await envelope(`${header}\n{"type":"event"}\n{}`);
      assert.ok(typeof made === 'object');
      assert.equal(made.body.toString(), `{"event_id":"${ID}"}\n{"type":"event"}\n{}`);
    }
    const sessions = await envelope('{}\n{"type":"sessions"}\n{}\n');
    assert.ok(typeof sessions === 'object');
    assert.equal(sessions.body.toString(), '{}\n{"type":"sessions"}\n{}\n');
    assert.equal(sessions.eventId, null);
  });

  it('is inflated first', async () => {
    const made = await envelope(gzipSync('{}\n{"type":"session"}\n{}'), [], 'gzip');
    assert.ok(typeof made === 'object');
    assert.equal(made.body.toString(), '{}\n{"type":"session"}\n{}');
    assert.equal(await envelope('no gzip', [], 'gzip'), 'unreadable');
    assert.equal(await envelope('no envelope'), 'unreadable');
  });

  it('wraps the event of a store request', async () => {
    assert.ok(DSN !== null);
    const record = forwardRecord(7, { body: Buffer.from('{"message":"x"}') }, { form: 'event' });
    const made = await targetEnvelope(record, DSN, () => false, 1_000_000);
    assert.ok(typeof made === 'object');
    assert.equal(made.body.toString(), `{"event_id":"${ID}"}\n{"type":"event","length":15}\n{"message":"x"}\n`);
    assert.equal(made.eventId, ID);
  });

  it('leaves out items of paused categories only', async () => {
    const items = ['{"type":"event"}\n{}', '{"type":"attachment","length":4}\na\nbc', '{"type":"session"}\n{"s":1}'];
    const body = `{"event_id":"${ID}"}\n${items.join('\n\n')}`;
    const made = await envelope(body, ['attachment']);
    assert.ok(typeof made === 'object');
    assert.equal(made.body.toString(), `{"event_id":"${ID}"}\n${items[0]}\n${items[2]}`);
    assert.deepEqual(made.leftOut, ['attachment']);
    assert.equal(await envelope('{}\n{"type":"session"}\n{}', ['session']), 'nothing_left');
  });
});
