import assert from 'node:assert/strict';
import type { Context } from 'koa';
import {
  clientIpMiddleware,
  createClientAddress,
  fromLoopback,
} from '../../../../../src/gateway/http/middleware/client-ip.ts';

describe('client address', () => {
  const behindProxy = createClientAddress(['10.0.0.0/8', '::1']);

  const cases: [peer: string | undefined, forwardedFor: string | undefined, expected: string | null, why: string][] = [
    ['203.0.113.7', undefined, '203.0.113.7', 'the peer, without a header'],
    ['::ffff:203.0.113.7', undefined, '203.0.113.7', 'IPv4 wrapped in IPv6 is unwrapped'],
    [undefined, '203.0.113.7', null, 'no peer, nothing is known'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7', 'a header of an untrusted peer is not believed'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1', 'a header of a trusted proxy is'],
    ['10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1', 'what the client wrote itself is not believed'],
    ['10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1', 'a chain of trusted proxies is walked'],
    ['10.1.2.3', '10.4.4.4, 10.9.9.9', '10.4.4.4', 'a chain of nothing but proxies ends at the first'],
    ['10.1.2.3', 'unknown', '10.1.2.3', 'an unreadable hop ends the walk'],
    ['10.1.2.3', '', '10.1.2.3', 'an empty header says nothing'],
    ['::1', '[2001:db8::5]:4711', '2001:db8::5', 'IPv6 with a port'],
    ['::1', '198.51.100.1:4711', '198.51.100.1', 'IPv4 with a port'],
  ];
  for (const [peer, forwardedFor, expected, why] of cases) {
    it(why, () => assert.equal(behindProxy.resolve(peer, forwardedFor), expected));
  }

  it('trusts no header when no proxy is trusted', () => {
    assert.equal(createClientAddress([]).resolve('127.0.0.1', '198.51.100.1'), '127.0.0.1');
    assert.equal(createClientAddress(['']).peerIsTrusted('127.0.0.1'), false);
  });

  it('recognises trusted peers', () => {
    assert.equal(behindProxy.peerIsTrusted('::ffff:10.0.0.1'), true);
    assert.equal(behindProxy.peerIsTrusted('11.0.0.1'), false);
    assert.equal(behindProxy.peerIsTrusted(undefined), false);
  });

  it('refuses ranges that are none', () => {
    for (const wrong of ['10.0.0.0/99', 'proxy.example', '10.0.0.0/']) {
      assert.throws(() => createClientAddress([wrong]), { code: 'invalid_configuration' });
    }
  });
});

describe('a request from loopback', () => {
  const proxies = ['127.0.0.1', '10.0.0.0/8'];
  const cases: [remoteAddress: string, forwarded: string | undefined, expected: boolean, why: string][] = [
    ['127.0.0.1', undefined, true, 'comes from this machine'],
    ['::1', undefined, true, 'comes from this machine by IPv6'],
    ['127.0.0.1', '127.0.0.1', true, 'may come by a proxy on this machine'],
    ['127.0.0.1', '198.51.100.1', false, 'does not come from a client elsewhere'],
    ['::1', '127.0.0.1', false, 'does not come by a program that is no trusted proxy'],
    ['10.1.2.3', undefined, false, 'does not come from another machine'],
    ['10.1.2.3', '127.0.0.1', false, 'is not what a trusted address elsewhere claims'],
  ];
  for (const [remoteAddress, forwarded, expected, why] of cases) {
    it(why, async () => {
      const req = {
        socket: { remoteAddress },
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      };
      const ctx = { req, state: {} } as unknown as Context;
      await clientIpMiddleware(proxies)(ctx, async () => undefined);
      assert.equal(fromLoopback(ctx), expected);
    });
  }
});
