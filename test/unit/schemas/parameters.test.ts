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
