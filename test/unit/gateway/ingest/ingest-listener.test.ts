import assert from 'node:assert/strict';
import { listen } from '../../../../src/gateway/http/http-server.ts';
import { ingestListener } from '../../../../src/gateway/ingest/ingest-listener.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { fakeLogger } from '../../../support/fake-logger.ts';
import { rawHttp } from '../../../support/raw-http.ts';

describe('listener of ingestion', () => {
  it('logs a request that it cannot answer with the id of the request', async () => {
    const logged: unknown[] = [];
    const unexpected = () => assert.fail('not expected');
    const logger = fakeLogger((level) => (level === 'error' ? (...parts) => void logged.push(parts) : unexpected));
    const err = new Error('broken');
    const ingest = { targetOf: () => ({ kind: 'store', dsnId: '42' }) as const, answer: () => Promise.reject(err) };
    const deps = { ingest, externalUrl: () => '', trustedProxies: ['127.0.0.1'], selfReportMark: null, logger };
    const { server, port } = await listen(
      ingestListener({ ...deps, metrics: createMetrics() }, unexpected),
      '127.0.0.1',
      0,
    );
    try {
      const request = 'POST /api/42/store/?a HTTP/1.1\r\nHost: x\r\nX-Request-Id: id-7\r\nContent-Length: 0\r\n\r\n';
      assert.equal(await rawHttp(`http://127.0.0.1:${port}`, request), '');
      const facts = { request_id: 'id-7', method: 'POST', path: '/api/42/store/', err };
      assert.deepEqual(logged, [[facts, 'request failed']]);
    } finally {
      server.close();
    }
  });
});
