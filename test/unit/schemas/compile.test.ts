import assert from 'node:assert/strict';
import { compileCheck, compileSchema, describeProblems } from '../../../src/schemas/compile.ts';
import { routes } from '../../../src/gateway/routes.ts';

const schema = {
  type: 'object',
  required: ['host', 'port'],
  additionalProperties: false,
  properties: {
    host: { type: 'string' },
    port: { type: 'integer', maximum: 65535 },
    log: { type: 'object', properties: { level: { enum: ['info', 'debug'] } } },
    at: { type: 'string', format: 'date-time' },
  },
} as const;

describe('compileSchema', () => {
  it('is a type guard', () => {
    const isServer = compileSchema<{ host: string; port: number }>(schema);
    const value: unknown = { host: 'a', port: 1 };
    assert.ok(isServer(value));
    assert.equal(value.port, 1);
  });

  it('reports every problem at once, named from the top, without the refused values', () => {
    const isServer = compileSchema(schema);
    assert.equal(isServer({ port: 70000, colour: 'glpat-secret', log: { level: 'loud' } }), false);
    assert.deepEqual(describeProblems(isServer.errors).sort(), [
      'colour is not known',
      'host is missing',
      'log.level must be one of info, debug',
      'port must be <= 65535',
    ]);
  });

  it('says what is wrong with the value as a whole', () => {
    const isServer = compileSchema(schema);
    assert.equal(isServer('text'), false);
    assert.deepEqual(describeProblems(isServer.errors), ['the value must be object']);
  });

  it('refuses a schema with unknown words when it is used', () => {
    const fits = compileSchema({ typ: 'object' });
    assert.throws(() => fits({}), /unknown keyword: "typ"/);
  });

  it('compiles what every route reads', () => {
    const read = routes.flatMap(({ parameters }) => (parameters === undefined ? [] : [parameters]));
    assert.ok(read.length > 20);
    for (const schema of read) assert.doesNotThrow(() => compileCheck(schema)({}));
  });
});

describe('compileCheck', () => {
  const check = compileCheck(schema);
  const at = (text: string): string[] => describeProblems(check({ host: 'a', port: 1, at: text }));

  it('knows date-time', () => {
    assert.deepEqual(at('2026-01-02T03:04:05.678Z'), []);
    assert.deepEqual(at('2026-01-02T03:04:05+02:00'), []);
    assert.equal(at('2026-13-02T03:04:05Z').length, 1);
    assert.equal(at('yesterday').length, 1);
  });
});
