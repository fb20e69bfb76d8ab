import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { AppError } from '../../../../src/domain/app-error.ts';
import { BlockedError } from '../../../../src/thirdparty/guard/blocked-error.ts';
import {
  createUrlGuard,
  type ResolvedAddress,
  type UrlGuardOptions,
} from '../../../../src/thirdparty/guard/url-guard.ts';

const LOCALHOST = 'Requests to localhost are not allowed';
const LOOPBACK = 'Requests to loopback addresses are not allowed';
const LOCAL = 'Requests to the local network are not allowed';
const LINK_LOCAL = 'Requests to the link local network are not allowed';
const SHARED = 'Requests to the shared address space are not allowed';
const BROADCAST = 'Requests to the limited broadcast address are not allowed';
const RESERVED = 'Requests to reserved addresses are not allowed';
const METADATA = 'Requests to cloud metadata services are not allowed';
const INVALID = 'URI is invalid';
const BAD_HOST = 'Hostname or IP address invalid';
const SCHEMES = 'Only allowed schemes are http, https';
const PORTS = 'Only allowed ports are 80, 443, and any over 1024';
const UNRESOLVABLE = 'Host cannot be resolved or invalid';

const guardWith = (options: Partial<UrlGuardOptions> = {}) =>
  createUrlGuard({ allow: '', ownAddresses: () => new Set(['192.0.0.9', '10.9.9.9']), ...options });

/** What a connection to the address would be handed; throws what the connection would fail with. */
function resolved(guard: ReturnType<typeof guardWith>, address: string, family?: number): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    guard.lookupFor(url)(url.hostname, { all: true, ...(family === undefined ? {} : { family }) }, (error, found) => {
      if (error === null) resolve(found as LookupAddress[]);
      else reject(error);
    });
  });
}

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });

describe('URL guard: what is written in an address', () => {
  const rows: [address: string, refusal: string | null][] = [
    ['https://errors.example.com/api/0/projects/', null],
    ['http://errors.example.com:8000', null],
    ['https://errors.example.com.', null],
    ['https://8.8.8.8/', null],
    ['https://[2606:4700::1111]/', null],
    // schemes
    ['ftp://errors.example.com', SCHEMES],
    ['javascript:alert(1)', SCHEMES],
    ['file:///etc/passwd', SCHEMES],
    ['errors.example.com', SCHEMES],
    ['//errors.example.com', SCHEMES],
    // form
    ['https://errors.example.com/\r\nHost: inside', INVALID],
    ['https://errors.example.com/\n', INVALID],
    ['https://errors.example.com/a b', INVALID],
    ['https://errors.example.com\\@inside', INVALID],
    ['https://errors.example.com/\t', INVALID],
    ['https://errors.example.com:99999/', INVALID],
    ['https://errors.example.com/<script>alert(1)</script>', 'HTML/CSS/JS tags are not allowed'],
    ['https://errörs.example.com', 'URI must be ascii only "https://err\\u00F6rs.example.com"'],
    ['https://a.example/😀"', 'URI must be ascii only "https://a.example/\\u{1F600}\\""'],
    // user info
    ['https://user@errors.example.com', 'User info is not allowed'],
    ['https://user:secret@errors.example.com', 'User info is not allowed'],
    ['https://@errors.example.com', 'User info is not allowed'],
    ['https://public.example@127.0.0.1', 'User info is not allowed'],
    // host names
    ['https://', BAD_HOST],
    ['https:///path', BAD_HOST],
    ['https://-errors.example.com', BAD_HOST],
    ['https://.example.com', BAD_HOST],
    ['https://%31%32%37.0.0.1', BAD_HOST],
    ['http://[fe80::1%25eth0]/', BAD_HOST],
    [`https://${'a'.repeat(1025)}`, 'Host is too long (maximum is 1024 characters)'],
    // ports
    ['https://errors.example.com:443', null],
    ['https://errors.example.com:80', null],
    ['https://errors.example.com:1024', null],
    ['https://errors.example.com:22', PORTS],
    ['https://errors.example.com:25', PORTS],
    ['https://errors.example.com:1023', PORTS],
    // localhost
    ['http://localhost', LOCALHOST],
    ['http://LOCALHOST:8080', LOCALHOST],
    ['http://localhost.', LOCALHOST],
    ['http://tracker.localhost', LOCALHOST],
    ['http://127.0.0.1', LOCALHOST],
    ['http://127.0.0.1.', LOCALHOST],
    ['http://0.0.0.0', LOCALHOST],
    ['http://[::1]', LOCALHOST],
    ['http://[::]', LOCALHOST],
    ['http://192.0.0.9', LOCALHOST],
    ['http://10.9.9.9', LOCALHOST],
    // other ways to write it
    ['http://2130706433', LOCALHOST],
    ['http://0x7f000001', LOCALHOST],
    ['http://0x7f.0.0.1', LOCALHOST],
    ['http://0177.0.0.1', LOCALHOST],
    ['http://017700000001', LOCALHOST],
    ['http://127.1', LOCALHOST],
    ['http://0', LOCALHOST],
    ['http://3232235777', LOCAL],
    ['http://0300.0250.0.1', LOCAL],
    ['http://0xa9fea9fe', LINK_LOCAL],
    // ranges
    ['http://127.0.0.2', LOOPBACK],
    ['http://127.255.255.254', LOOPBACK],
    ['http://10.0.0.1', LOCAL],
    ['http://172.16.0.1', LOCAL],
    ['http://172.31.255.255', LOCAL],
    ['http://172.32.0.1', null],
    ['http://192.168.1.1', LOCAL],
    ['http://0.1.2.3', LOCAL],
    ['http://[fc00::1]', LOCAL],
    ['http://[fdff::1]', LOCAL],
    ['http://[fec0::1]', LOCAL],
    ['http://169.254.1.1', LINK_LOCAL],
    ['http://[fe80::1]', LINK_LOCAL],
    ['http://100.64.0.1', SHARED],
    ['http://100.127.255.255', SHARED],
    ['http://100.128.0.1', null],
    ['http://255.255.255.255', BROADCAST],
    ['http://192.0.0.1', RESERVED],
    ['http://192.0.2.1', RESERVED],
    ['http://198.18.0.1', RESERVED],
    ['http://198.19.255.255', RESERVED],
    ['http://224.0.0.1', RESERVED],
    ['http://240.0.0.1', RESERVED],
    ['http://[ff02::1]', RESERVED],
    ['http://[2001:db8::1]', RESERVED],
    ['http://[100::1]', RESERVED],
    // IPv4 carried in IPv6
    ['http://[::ffff:127.0.0.1]', LOCALHOST],
    ['http://[::ffff:7f00:1]', LOCALHOST],
    ['http://[::ffff:10.0.0.1]', LOCAL],
    ['http://[::ffff:8.8.8.8]', null],
    ['http://[::127.0.0.1]', LOCALHOST],
    ['http://[::ffff:0:10.0.0.1]', LOCAL],
    ['http://[64:ff9b::10.0.0.1]', LOCAL],
    ['http://[64:ff9b::169.254.169.254]', LINK_LOCAL],
    ['http://[64:ff9b::8.8.8.8]', null],
    ['http://[64:ff9b:1::10.0.0.1]', LOCAL],
    ['http://[2002:0a00:0001::1]', LOCAL],
    ['http://[2002:7f00:1::]', LOCALHOST],
    ['http://[2002:808:808::1]', RESERVED],
    // Teredo: the client's address is written inverted
    ['http://[2001:0:808:808:0:0:f5ff:fffe]', LOCAL],
    ['http://[2001:0:a00:1:0:0:f7f7:f7f7]', LOCAL],
    ['http://[2001:0:808:808:0:0:f7f7:f7f7]', RESERVED],
    // metadata services
    ['http://169.254.169.254/latest/meta-data/', LINK_LOCAL],
    ['http://100.100.100.200', SHARED],
    ['http://168.63.129.16', METADATA],
    ['http://metadata.google.internal', METADATA],
    ['http://METADATA.google.internal.', METADATA],
    ['http://metadata', METADATA],
  ];
  const guard = guardWith();
  for (const [address, refusal] of rows) {
    it(`${JSON.stringify(address.slice(0, 60))}: ${refusal ?? 'may be asked'}`, () => {
      assert.equal(guard.refusal(address)?.reason ?? null, refusal);
    });
  }

  it('says on save what is wrong with the field', () => {
    assert.equal(guard.savedProblem(''), 'must be a valid URL');
    assert.equal(guard.savedProblem('http://10.0.0.1'), `is blocked: ${LOCAL}`);
    assert.equal(guard.savedProblem(`https://a.example/${'x'.repeat(237)}`), null);
    assert.equal(guard.savedProblem(`https://a.example/${'x'.repeat(238)}`), 'is too long (maximum is 255 characters)');
  });
});

describe('URL guard: the allow-list', () => {
  const rows: [allow: string, address: string, refusal: string | null][] = [
    ['10.0.0.1', 'http://10.0.0.1', null],
    ['10.0.0.1', 'http://10.0.0.1:8000', null],
    ['10.0.0.1', 'http://10.0.0.2', LOCAL],
    ['10.0.0.1', 'http://[::ffff:10.0.0.1]', null],
    ['10.0.0.1:8000', 'http://10.0.0.1:8000', null],
    ['10.0.0.1:8000', 'http://10.0.0.1:8001', LOCAL],
    ['10.0.0.0/8', 'http://10.200.0.1', null],
    ['10.0.0.0/8', 'http://11.0.0.1', null],
    ['10.0.0.0/8', 'http://192.168.0.1', LOCAL],
    ['fd00::/8', 'http://[fd12::1]:9000', null],
    ['::1', 'http://[::1]:9000', null],
    ['[::1]:9000', 'http://[::1]:9000', null],
    ['[::1]:9000', 'http://[::1]:9001', LOCALHOST],
    ['localhost:9000', 'http://localhost:9000', null],
    ['localhost:9000', 'http://localhost:9001', LOCALHOST],
    ['127.0.0.1', 'http://localhost:9001', null],
    ['Sentry.Internal', 'http://sentry.internal', null],
    ['a.example, 10.0.0.1', 'http://10.0.0.1', null],
    ['tracker.example:81', 'http://tracker.example:81', null],
    ['tracker.example', 'http://tracker.example:81', PORTS],
    // a name or an address of a metadata service is refused whatever the operator lists
    ['169.254.0.0/16', 'http://169.254.1.1', null],
    ['169.254.0.0/16', 'http://169.254.169.254', METADATA],
    ['169.254.169.254', 'http://[::ffff:169.254.169.254]', METADATA],
    ['169.254.169.254', 'http://0xa9fea9fe', METADATA],
    ['fd00::/8', 'http://[fd00:ec2::254]', METADATA],
    ['metadata.google.internal', 'http://metadata.google.internal', METADATA],
  ];
  for (const [allow, address, refusal] of rows) {
    it(`${allow} and ${address}: ${refusal ?? 'may be asked'}`, () => {
      assert.equal(guardWith({ allow }).refusal(address)?.reason ?? null, refusal);
    });
  }

  it('can be the only thing that is allowed', () => {
    const guard = guardWith({ allow: '8.8.8.0/24', onlyAllowed: true });
    assert.equal(guard.refusal('http://8.8.8.8')?.reason ?? null, null);
    assert.equal(
      guard.refusal('http://9.9.9.9')?.reason ?? null,
      'Requests to hosts and IP addresses not on the Allow List are denied',
    );
  });

  it('names every entry that makes no sense', () => {
    assert.throws(
      () => guardWith({ allow: 'http://a, 10.0.0.0/99, ok.example, b:0, c:70000, *.d' }),
      (error: unknown) =>
        error instanceof AppError &&
        error.code === 'invalid_configuration' &&
        error.message.endsWith('not: http://a, 10.0.0.0/99, b:0, c:70000, *.d'),
    );
  });
});

describe('URL guard: a connection', () => {
  const answering = (found: readonly ResolvedAddress[], options: Partial<UrlGuardOptions> = {}) =>
    guardWith({ resolve: async () => found, ...options });
  const refused = (reason: string) => (error: unknown) =>
    error instanceof BlockedError && error.message === `URL is blocked: ${reason}`;

  it('gets exactly the addresses that were checked', async () => {
    const found = [v4('8.8.8.8'), v6('2606:4700::1111')];
    assert.deepEqual(await resolved(answering(found), 'https://tracker.example'), found);
    assert.deepEqual(await resolved(answering(found), 'https://tracker.example', 4), [v4('8.8.8.8')]);
    await assert.rejects(resolved(answering([v4('8.8.8.8')]), 'https://tracker.example', 6), refused(UNRESOLVABLE));
  });

  it('hands out one address where one is asked for', async () => {
    const url = new URL('https://tracker.example');
    const one = await new Promise((resolve) => {
      answering([v4('8.8.8.8'), v4('8.8.4.4')]).lookupFor(url)(url.hostname, {}, (...answer) => resolve(answer));
    });
    assert.deepEqual(one, [null, '8.8.8.8', 4]);
  });

  const rows: [found: ResolvedAddress[], refusal: string][] = [
    [[v4('127.0.0.1')], LOCALHOST],
    [[v4('8.8.8.8'), v4('10.0.0.1')], LOCAL],
    [[v4('8.8.8.8'), v6('::1')], LOCALHOST],
    [[v6('::ffff:192.168.0.1')], LOCAL],
    [[v6('64:ff9b::a00:1')], LOCAL],
    [[v6('fe80::1%eth0')], UNRESOLVABLE],
    [[v4('169.254.169.254')], LINK_LOCAL],
    [[v4('168.63.129.16')], METADATA],
    [[], UNRESOLVABLE],
  ];
  for (const [found, refusal] of rows) {
    it(`fails for a name that leads to ${JSON.stringify(found.map(({ address }) => address))}`, async () => {
      await assert.rejects(resolved(answering(found), 'https://tracker.example'), refused(refusal));
    });
  }

  it('says so when the name cannot be resolved', async () => {
    const guard = guardWith({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    assert.equal(guard.refusal('https://nowhere.example')?.reason ?? null, null);
    await assert.rejects(resolved(guard, 'https://nowhere.example'), refused(UNRESOLVABLE));
  });

  it('checks every time, so that a name that changes between look-ups gains nothing', async () => {
    const answers = [[v4('8.8.8.8')], [v4('127.0.0.1')], [v4('8.8.4.4')]];
    const guard = guardWith({ resolve: async () => answers.shift() ?? [] });
    assert.deepEqual(await resolved(guard, 'https://rebind.example'), [v4('8.8.8.8')]);
    await assert.rejects(resolved(guard, 'https://rebind.example'), refused(LOCALHOST));
    assert.deepEqual(await resolved(guard, 'https://rebind.example'), [v4('8.8.4.4')]);
    await assert.rejects(resolved(guard, 'https://rebind.example'), refused(UNRESOLVABLE));
  });

  it('may go inside for an allowed name or range, but never to metadata', async () => {
    const inside = [v4('10.0.0.1')];
    assert.deepEqual(await resolved(answering(inside, { allow: 'a.example' }), 'http://a.example'), inside);
    assert.deepEqual(await resolved(answering(inside, { allow: '10.0.0.0/8' }), 'http://a.example'), inside);
    await assert.rejects(resolved(answering(inside, { allow: 'b.example' }), 'http://a.example'), refused(LOCAL));
    await assert.rejects(
      resolved(answering([v4('169.254.169.254')], { allow: 'a.example' }), 'http://a.example'),
      refused(METADATA),
    );
  });

  it('stays on the list where only the list is allowed', async () => {
    const strict = { onlyAllowed: true, allow: '8.8.8.8,a.example' };
    const denied = refused('Requests to hosts and IP addresses not on the Allow List are denied');
    assert.equal((await resolved(answering([v4('8.8.8.8')], strict), 'http://x.example')).length, 1);
    assert.equal((await resolved(answering([v4('9.9.9.9')], strict), 'http://a.example')).length, 1);
    await assert.rejects(resolved(answering([v4('9.9.9.9')], strict), 'http://x.example'), denied);
  });

  it('uses the resolver of the system and the addresses of the machine when left alone', async () => {
    const guard = createUrlGuard({ allow: '127.0.0.1, ::1' });
    const found = await resolved(guard, 'http://localhost:9000');
    assert.ok(found.every(({ address }) => ['127.0.0.1', '::1'].includes(address)) && found.length > 0);
  });
});
