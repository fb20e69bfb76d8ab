import assert from 'node:assert/strict';
import { changesBetween, hidden } from '../../../src/audit/audit-values.ts';
import { MAX_AUDIT_CHANGES, MAX_AUDIT_VALUE } from '../../../src/domain/audit/audit-event.ts';

describe('values of the audit log', () => {
  it('are those that differ, by name, as texts', () => {
    const before = { path: 'a', active: true, limit: 10, fields: ['a', 'b'], same: 'x' };
    const after = { path: 'b', active: false, limit: null, fields: ['a'], same: 'x' };
    assert.deepEqual(changesBetween(before, after), [
      { name: 'active', from: 'true', to: 'false' },
      { name: 'fields', from: 'a, b', to: 'a' },
      { name: 'limit', from: '10', to: null },
      { name: 'path', from: 'a', to: 'b' },
    ]);
  });

  it('are all of what was made or removed', () => {
    assert.deepEqual(changesBetween(null, { name: 'a', url: null }), [{ name: 'name', from: null, to: 'a' }]);
    assert.deepEqual(changesBetween({ name: 'a', url: null }, null), [{ name: 'name', from: 'a', to: null }]);
    assert.deepEqual(changesBetween(null, null), []);
  });

  it('never have a secret, but that it was set, replaced or removed', () => {
    const [one, other, none] = [hidden('glpat-one'), hidden('glpat-other'), hidden(null)];
    assert.deepEqual(changesBetween({ token: one }, { token: hidden('glpat-one') }), []);
    assert.deepEqual(changesBetween(null, { token: none }), []);
    assert.deepEqual(changesBetween({ token: none }, null), []);
    assert.deepEqual(changesBetween({ token: none }, { token: one }), [{ name: 'token', from: null, to: '(hidden)' }]);
    assert.deepEqual(changesBetween({ token: one }, { token: none }), [{ name: 'token', from: '(hidden)', to: null }]);
    assert.deepEqual(changesBetween({ token: one }, { token: other }), [
      { name: 'token', from: '(hidden)', to: '(hidden, replaced)' },
    ]);
    assert.doesNotMatch(JSON.stringify({ one, other }), /glpat/);
  });

  it('are bounded in length and number', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, 'x'.repeat(10_000)]));
    const changes = changesBetween(null, many);
    assert.equal(changes.length, MAX_AUDIT_CHANGES);
    assert.ok(changes.every(({ to }) => to?.length === MAX_AUDIT_VALUE));
  });
});
