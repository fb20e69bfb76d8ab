import assert from 'node:assert/strict';
import { mongoHosts } from '../../../../../src/storage/mongo/engine/mongo-hosts.ts';

describe('mongoHosts', () => {
  const cases: readonly (readonly [url: string, hosts: string])[] = [
    ['mongodb://localhost', 'localhost'],
    ['mongodb://db1:27017,db2.example.org:27018/errgate?replicaSet=rs0', 'db1:27017, db2.example.org:27018'],
    ['mongodb+srv://user:secret@cluster0.example.net/errgate', 'cluster0.example.net'],
    ['mongodb://[2001:db8::1]:27017/', '[2001:db8::1]:27017'],
    ['mongodb://user:secret@db1', 'db1'],
    ['mongodb://user:se%40cret@db1/x', 'db1'],
  ];
  for (const [url, hosts] of cases) {
    it(`finds ${hosts} in ${url}`, () => {
      assert.equal(mongoHosts(url), hosts);
    });
  }

  it('never shows a part of a password that was not encoded', () => {
    for (const url of [
      'mongodb://user:se@cret@db1/x',
      'mongodb://user:se/cret@db1/x',
      'mongodb://user:se?cret@db1/x',
      'mongodb://user:se,cret@db1/x',
      'mongodb://user:se#cret@db1/x',
    ]) {
      assert.equal(mongoHosts(url), 'db1', url);
    }
    assert.equal(mongoHosts('mongodb://user:secret'), 'the configured server');
    assert.equal(mongoHosts('mongodb://user:secret@'), 'the configured server');
    assert.equal(mongoHosts(''), 'the configured server');
  });
});
