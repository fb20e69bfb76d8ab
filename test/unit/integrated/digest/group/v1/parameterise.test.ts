import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PARAMETERS } from '../../../../../../src/integrated/digest/group/v1/values/parameter-patterns.ts';
import {
  parameterise,
  replaceParameters,
} from '../../../../../../src/integrated/digest/group/v1/values/parameterise.ts';
import { processorMs } from '../../../../../support/processor-time.ts';
import { hostile } from './hostile-texts.ts';
import { table } from './parameter-table.ts';

/** Far above the milliseconds it takes, far below what a runaway pattern would. */
const PATIENCE_MS = 100;
const TRIES = 8;

describe('group v1: message parameterisation', () => {
  for (const [kind, rows] of Object.entries(table)) {
    describe(kind, () => {
      for (const [text, expected] of rows) {
        it(JSON.stringify(text), () => assert.equal(parameterise(text), expected));
      }
    });
  }

  it('leaves plain text alone', () => {
    for (const text of ['disk full', 'Überlauf: Puffer voll!', 'a/b\\c <x>']) {
      assert.equal(parameterise(text), text);
    }
  });

  it('does not change its own output when nothing was cut', () => {
    const words = fc.constantFrom(
      'user 5',
      'at 10.0.0.1',
      'x=true',
      'bob@example.com',
      'failed',
      "n='b'",
      '1.5s',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
        const once = parameterise(parts.join(' ').replaceAll('\n', ''));
        assert.equal(parameterise(once), once);
      }),
      { seed: 7 },
    );
  });

  it('never throws, and limits the growth of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        assert.ok(parameterise(text).length <= text.length * 16 + 16);
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('finds the same long tokens as a single pattern for each kind', () => {
    const any = new RegExp(
      `(?<![A-Za-z0-9])(?=[A-Za-z0-9_:/'"\`“„«‹‘[\\\\-])(?:${PARAMETERS.map(([, pattern]) => `(${pattern})`).join('|')})`,
      'g',
    );
    const named = (match: string, ...groups: unknown[]) =>
      `<${PARAMETERS[groups.findIndex((group) => group !== undefined)]?.[0] ?? match}>`;
    const parts = fc.constantFrom(
      ...['aB3', 'Zz', '/', '+', '=', '==', '.', '-', '_', ' ', 'eyJhbGciOiJIUzI1NiJ9', 'eyJ', '.c2ln', 'é', 'x='],
      ...[
        '/home/aB',
        'user@example.com',
        '10.0.0.1',
        'Bearer ',
        'QWxhZGRpbjpvcGVuIHNlc2FtZQ',
        'aB/'.repeat(30),
        '12 ms',
      ],
    );
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 14 }), (texts) => {
        const text = texts.join('').trim();
        assert.equal(replaceParameters(text), text.replace(any, named));
      }),
      { seed: 7, numRuns: 600 },
    );
  });

  it('handles hostile texts of 10,000 characters quickly', () => {
    for (const pattern of hostile) {
      for (const tail of ['', '!', '\u0001', ' QWxhZGRpbjpvcGVuIHNlc2FtZQ==']) {
        const text = pattern.repeat(10_000).slice(0, 10_000 - tail.length) + tail;
        let took = Infinity;
        for (let tries = 0; tries < TRIES && took >= PATIENCE_MS; tries += 1) {
          took = Math.min(
            took,
            processorMs(() => parameterise(text)),
          );
        }
        assert.ok(took < PATIENCE_MS, `${JSON.stringify(pattern)} took ${took.toFixed(1)} ms`);
      }
    }
  });
});
