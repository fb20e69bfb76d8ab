import assert from 'node:assert/strict';
import { mailServer } from '../../../../src/alerts/mail/mail-server.ts';

const at = (
  url: string,
  externalUrl = 'https://errors.example.com/sub',
  from: string | null = null,
  name: string | null = null,
) => mailServer({ url, from, name }, externalUrl)!;

describe('mailServer', () => {
  it('is null without an address', () => {
    assert.equal(mailServer({ url: null, from: null, name: null }, 'https://errors.example.com'), null);
  });

  it('decodes user and password, and picks the usual ports', () => {
    const server = at('smtp://me%40x:p%40ss@mail.example.com');
    assert.deepEqual(server.login, { user: 'me@x', password: 'p@ss' });
    assert.deepEqual([server.host, server.port, server.secure], ['mail.example.com', 587, false]);
    assert.equal(at('smtp://mail.example.com').port, 25);
    assert.equal(at('smtp://mail.example.com').login, null);
    assert.deepEqual([at('smtps://mail.example.com').port, at('smtps://mail.example.com').secure], [465, true]);
    assert.equal(at('smtp://[::1]:2525').host, '::1');
  });

  it('requires TLS with a password, unless the server is on this machine', () => {
    assert.equal(at('smtp://u:p@mail.example.com').requireTls, true);
    assert.equal(at('smtp://mail.example.com').requireTls, false);
    assert.equal(at('smtps://u:p@mail.example.com').requireTls, false);
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      assert.equal(at(`smtp://u:p@${host}`).requireTls, false, host);
    assert.equal(at('smtp://u:p@localhost.example.com').requireTls, true);
    assert.equal(at('smtp://u:p@127.example.com').requireTls, true);
  });

  it('greets with the host of the external URL, if mail servers accept it, or with the name that is set', () => {
    const url = 'smtp://mail.example.com';
    assert.equal(at(url).name, 'errors.example.com');
    assert.equal(at(url, 'http://10.0.0.5:8080').name, '[10.0.0.5]');
    assert.equal(at(url, 'http://[2001:db8::1]').name, '[IPv6:2001:db8::1]');
    assert.equal(at(url, 'http://localhost:8080').name, null);
    assert.equal(at(url, 'http://localhost:8080', null, 'mx.example.com').name, 'mx.example.com');
  });

  it('sends as errgate at the host of the external URL, or as set', () => {
    const url = 'smtp://mail.example.com';
    assert.deepEqual(at(url).from, { name: 'errgate', address: 'errgate@errors.example.com' });
    assert.deepEqual(at(url, 'https://e.example', 'a@b.example').from, { name: 'errgate', address: 'a@b.example' });
    assert.deepEqual(at(url, 'https://e.example', '"Shop errors" <a@b.example>').from, {
      name: 'Shop errors',
      address: 'a@b.example',
    });
  });
});
