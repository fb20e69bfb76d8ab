import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { AppError } from '../../../../src/domain/app-error.ts';
import type { IngestRequest } from '../../../../src/domain/ports/intake.ts';
import { RequestIntake } from '../../../../src/integrated/intake/request-intake.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { LIMITS, MemorySink, NOW } from '../../../support/ingest-app.ts';

const GRANT = { projectId: 42, keyId: 1 };
const DSN = 'http://glet_abc123@127.0.0.1/42';
const REFUSED = new AppError('ingest_unauthorized', 'no');

function setUp(limits = LIMITS) {
  const sink = new MemorySink();
  const counted: string[] = [];
  const intake = new RequestIntake({
    sink,
    clock: { now: () => NOW },
    limits,
    rates: { take: () => null, flooded: () => null },
    ledger: { add: (_grant, { outcome, reason }) => void counted.push(`${outcome}/${reason}`) },
    metrics: createMetrics(),
  });
  return { sink, counted, intake };
}

function envelope(given: Partial<IngestRequest> = {}, padding = ''): IngestRequest {
  const lines = [JSON.stringify({ dsn: DSN }), '{"type":"event"}', JSON.stringify({ message: padding })];
  return {
    kind: 'envelope',
    body: Readable.from([Buffer.from(lines.join('\n'))]),
    contentEncoding: undefined,
    contentType: undefined,
    clientIp: null,
    client: null,
    grant: null,
    ...given,
  };
}

const isBusy = { code: 'ingest_unavailable', details: { reason: 'busy' } };

describe('opening a request', () => {
  it('tells the DSN of an envelope, and keeps it under the grant that follows', async () => {
    const { intake, sink } = setUp();
    const opened = await intake.open(envelope());
    assert.equal(opened.dsn, DSN);
    assert.equal(sink.appends, 0);
    await opened.keep(GRANT);
    assert.deepEqual(
      sink.records.map(({ projectId, keyId }) => ({ projectId, keyId })),
      [GRANT],
    );
  });

  it('reads no byte of a store request', async () => {
    const { intake } = setUp();
    const body = Readable.from([Buffer.from('{}')]);
    const opened = await intake.open(envelope({ kind: 'store', body }));
    assert.equal(opened.dsn, null);
    assert.equal(body.readableFlowing, null);
    opened.refuse(REFUSED);
    assert.equal(body.readableFlowing, null);
  });

  it('leaves it to `keep` to say that a body is no envelope', async () => {
    const { intake, counted } = setUp();
    const opened = await intake.open(envelope({ body: Readable.from([Buffer.from('nothing')]) }));
    assert.equal(opened.dsn, null);
    await assert.rejects(opened.keep(GRANT), { code: 'ingest_invalid' });
    assert.deepEqual(counted, ['invalid/malformed_envelope']);
  });

  it('counts a refusal where the request itself carried a key, and only there', async () => {
    const { intake, counted } = setUp();
    (await intake.open(envelope())).refuse(REFUSED);
    assert.deepEqual(counted, []);
    (await intake.open(envelope({ grant: GRANT }))).refuse(REFUSED);
    assert.deepEqual(counted, ['invalid/contradicting_dsn']);
  });

  it('holds a place until the request is kept, refused, or cannot be opened', async () => {
    const { intake } = setUp({ ...LIMITS, maxRequestsInFlight: 1 });
    const first = await intake.open(envelope());
    await assert.rejects(intake.open(envelope()), isBusy);
    first.refuse(REFUSED);
    const second = await intake.open(envelope());
    await assert.rejects(intake.open(envelope()), isBusy);
    await second.keep(GRANT);
    await assert.rejects(intake.open(envelope({ contentEncoding: 'lzma' })), { code: 'ingest_unsupported_encoding' });
    await (await intake.open(envelope())).keep(GRANT);
  });

  it('gives the bytes of a refused body back', async () => {
    const { intake } = setUp({ ...LIMITS, maxRequestBytes: 200_000 });
    for (let request = 0; request < 20; request += 1) {
      (await intake.open(envelope({}, 'x'.repeat(150_000)))).refuse(REFUSED);
    }
    const large = () => intake.open(envelope({}, 'x'.repeat(150_000)));
    const held = [await large(), await large(), await large(), await large(), await large()];
    await assert.rejects(large(), { code: 'ingest_unavailable' });
    for (const opened of held) opened.refuse(REFUSED);
  });
});
