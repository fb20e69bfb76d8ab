import assert from 'node:assert/strict';
import { isRecord, setOwn } from '../../../src/lib/own-property.ts';

describe('own properties', () => {
  it('__proto__ becomes a plain property', () => {
    const target: Record<string, unknown> = {};
    setOwn(target, '__proto__', { a: 1 });
    setOwn(target, 'b', 2);
    assert.equal(Object.getPrototypeOf(target), Object.prototype);
    assert.equal(JSON.stringify(target), '{"__proto__":{"a":1},"b":2}');
  });

  it('tells objects from lists and null', () => {
    assert.deepEqual([{}, [], null, 'x'].map(isRecord), [true, false, false, false]);
  });
});
