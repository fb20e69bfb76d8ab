import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { AppError } from '../../../src/domain/app-error.ts';
import { networkFailure } from '../../../src/thirdparty/http/network-failure.ts';
import { trackerDetails } from '../../../src/thirdparty/http/tracker-errors.ts';
import { target, testClient } from './support/tracker.ts';

/** Made for `another.example`, by nobody that anybody trusts. */
const pem = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/thirdparty/tls/${name}.pem`, import.meta.url));

describe('tracker client and certificates', () => {
  it('sends nothing to a server whose certificate is untrusted or of another host', async () => {
    const heard: string[] = [];
    const server = createServer({ key: pem('key'), cert: pem('cert') }, (socket) =>
      socket.on('data', (data) => heard.push(String(data))),
    );
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { client } = testClient();
    await assert.rejects(
      client.request(target(`https://127.0.0.1:${port}`), { path: '/api/0/' }),
      (error: unknown) =>
        error instanceof AppError &&
        error.code === 'tracker_unreachable' &&
        trackerDetails(error)?.webMessage === 'Third-party returned invalid SSL data',
    );
    client.close();
    server.close();
    assert.deepEqual(heard, []);
  });

  it('says that a port speaks no TLS', async () => {
    const server = createHttpServer((_request, response) => response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { client } = testClient();
    await assert.rejects(
      client.request(target(`https://127.0.0.1:${port}`), { path: '/api/0/' }),
      (error: unknown) =>
        error instanceof AppError &&
        /does not speak TLS at this port .* http:\/\/ instead of https/.test(error.message),
    );
    client.close();
    server.close();
  });

  const valid = /tracker\.example .* give the tracker a valid one for this name, or correct the address/;
  const authority = /tracker\.example is signed by itself or by an authority .* NODE_EXTRA_CA_CERTS=/;
  for (const [code, cure] of [
    ['ERR_TLS_CERT_ALTNAME_INVALID', valid],
    ['CERT_HAS_EXPIRED', valid],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', authority],
    ['SELF_SIGNED_CERT_IN_CHAIN', authority],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', authority],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', authority],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /tracker\.example does not speak TLS/],
  ] as const) {
    it(`says what to do about ${code}`, () => {
      const error = networkFailure(Object.assign(new Error('x'), { code }), 'tracker.example');
      assert.deepEqual(
        [error.code, trackerDetails(error)?.webMessage, error.details?.reason],
        ['tracker_unreachable', 'Third-party returned invalid SSL data', 'tls'],
      );
      assert.match(error.message, cure);
    });
  }
});
