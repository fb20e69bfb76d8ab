import assert from 'node:assert/strict';
import { compileParameters, type ParametersSchema } from '../../../src/schemas/parameters.ts';

const schema = {
  type: 'object',
  properties: {
    flag: { type: 'boolean', description: '', 'x-not-blank': true },
    size: { type: 'integer', minimum: 1, maximum: 9, default: 5, description: '' },
    word: { type: 'string', enum: ['a', 'b'], description: '' },
    text: { type: 'string', maxLength: 3, description: '' },
    at: { type: 'string', format: 'date-time', description: '' },
    bound: { type: ['integer', 'null'], minimum: 1, description: '' },
    names: {
      type: 'array',
      items: { type: 'string', maxLength: 3, pattern: '^[^!]+$', 'x-expected': 'a name without a call' },
      maxItems: 2,
      description: '',
    },
  },
  required: ['flag', 'size'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const read = compileParameters<Record<string, unknown>>(schema);
const value = (given: object) => {
  const result = read({ flag: true, ...given });
  assert.ok(result.ok);
  return result.value;
};
const problems = (given: object) => {
  const result = read({ flag: true, ...given });
  assert.ok(!result.ok);
  return result.problems;
};

describe('parameters', () => {
  it('are coerced, filled with defaults, and cut to those declared', () => {
    assert.deepEqual(value({ size: '7', text: 12, other: 1 }), { flag: true, size: 7, text: '12' });
    assert.deepEqual(value({}), { flag: true, size: 5 });
  });

  it('count as absent when blank and optional', () => {
    assert.deepEqual(value({ word: '', text: null, size: '' }), { flag: true, size: 5 });
  });

  it('are null when blank where that means something, and absent when left out', () => {
    assert.deepEqual(value({ bound: null }), { flag: true, size: 5, bound: null });
    assert.deepEqual(value({ bound: '' }), { flag: true, size: 5, bound: null });
    assert.deepEqual(value({ bound: '7' }), { flag: true, size: 5, bound: 7 });
    assert.deepEqual(problems({ bound: 0 }), ['bound must be at least 1']);
    assert.deepEqual(problems({ bound: 'x' }), ['bound is invalid']);
  });

  it('may be lists of words, which are distinguished from the list itself', () => {
    assert.deepEqual(value({ names: [' a ', 'a', 'b'] }).names, ['a', 'b']);
    assert.deepEqual(value({ names: 'a, b' }).names, ['a', 'b']);
    assert.deepEqual(value({ names: [] }).names, []);
    assert.deepEqual(problems({ names: ['a', 'b', 'c'] }), ['names has too many entries (maximum is 2)']);
    assert.deepEqual(problems({ names: ['long'] }), ['an entry of names is too long (maximum is 3 characters)']);
    assert.deepEqual(problems({ names: ['a!'] }), ['an entry of names must be a name without a call']);
    assert.deepEqual(problems({ names: ['a', ''] }), ['an entry of names must be a name without a call']);
    assert.deepEqual(problems({ names: [1] }), ['names is invalid']);
    assert.deepEqual(problems({ names: { a: 1 } }), ['names is invalid']);
  });

  it('are refused by kind', () => {
    assert.deepEqual(problems({ size: '1.5' }), ['size is invalid']);
    assert.deepEqual(problems({ size: 1e300 }), ['size is invalid']);
    assert.deepEqual(problems({ size: true }), ['size is invalid']);
    assert.deepEqual(problems({ text: { a: 1 } }), ['text is invalid']);
    assert.deepEqual(problems({ text: 'a\0b' }), ['text is invalid']);
    assert.deepEqual(problems({ text: '\ud800' }), ['text is invalid']);
    assert.deepEqual(problems({ at: 'noon' }), ['at is invalid']);
  });

  it('are refused by value', () => {
    assert.deepEqual(problems({ size: 0 }), ['size must be at least 1']);
    assert.deepEqual(problems({ size: 10 }), ['size must be at most 9']);
    assert.deepEqual(problems({ word: 'c' }), ['word does not have a valid value: use one of a | b']);
    assert.deepEqual(problems({ text: 'long' }), ['text is too long (maximum is 3 characters)']);
  });

  it('report everything in the order of the declaration', () => {
    assert.deepEqual(problems({ text: 'long', flag: undefined, size: 'x' }), [
      'flag is missing',
      'flag is empty',
      'size is invalid',
      'text is too long (maximum is 3 characters)',
    ]);
  });

  it('are not confused by names of the object prototype', () => {
    assert.deepEqual(value({ constructor: 'x', ['__proto__']: 'y', toString: 'z' }), { flag: true, size: 5 });
  });
});
