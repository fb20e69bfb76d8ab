import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import {
  resolveVariable,
  variableName,
} from '../../../../../../src/integrated/digest/group/v1/fingerprint-variable.ts';
import { event, exception, frame, keyOf, message, systemFrame, thread, thrown } from './events.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

const crash = (members: Partial<NormalisedEvent> = {}): NormalisedEvent => ({
  ...thrown('python', [frame({ module: 'app.pay', function: 'charge' })], { type: 'ValueError', value: 'bad 1' }),
  ...members,
});
const withPrint = (...fingerprint: string[]) => crash({ fingerprint });

describe('group v1: fingerprints', () => {
  mustGroup([
    ['every way to write the default', withPrint('{{ default }}'), withPrint('{{default}}')],
    ['no entries and the default', withPrint(), withPrint('{{   default  }}')],
    ['the default twice and once', withPrint('{{ default }}', '{{ default }}'), withPrint('{{ default }}')],
    [
      'different errors of one custom fingerprint',
      withPrint('payment'),
      message('other', { fingerprint: ['payment'] }),
    ],
    ['a variable and its value', withPrint('{{ error.type }}'), withPrint('ValueError')],
    ['blanks around a variable', withPrint('{{error.type}}'), withPrint('  {{  error.type }} ')],
    [
      'a hybrid fingerprint over different messages of one stack',
      withPrint('{{ default }}', 'eu'),
      crash({
        fingerprint: ['{{ default }}', 'eu'],
        exceptions: [exception({ ...crash().exceptions[0], value: 'something else' })],
      }),
    ],
    [
      'a legacy checksum over different errors',
      withPrint('c'.repeat(32)),
      message('m', { fingerprint: ['c'.repeat(32)] }),
    ],
  ]);
  mustNotGroup([
    ['custom fingerprints that differ', withPrint('payment'), withPrint('refund')],
    ['values with blanks that differ', withPrint('payment failed'), withPrint('paymentfailed')],
    ['entries split differently', withPrint('a', 'bc'), withPrint('ab', 'c')],
    ['a hybrid fingerprint and the default', withPrint('{{ default }}', 'eu'), withPrint('{{ default }}')],
    ['hybrid fingerprints that differ', withPrint('{{ default }}', 'eu'), withPrint('{{ default }}', 'us')],
    ['orders of entries', withPrint('{{ default }}', 'eu'), withPrint('eu', '{{ default }}')],
    [
      'different errors under one hybrid fingerprint',
      withPrint('{{ default }}', 'eu'),
      message('m', { fingerprint: ['{{ default }}', 'eu'] }),
    ],
    [
      'a variable of events that differ in it',
      crash({ transaction: '/pay', fingerprint: ['{{ transaction }}'] }),
      crash({ transaction: '/refund', fingerprint: ['{{ transaction }}'] }),
    ],
    ['a legacy checksum and the default', withPrint('c'.repeat(32)), crash()],
  ]);

  it('replaces a variable only when it is the whole entry', () => {
    assert.equal(variableName('{{ level }}'), 'level');
    assert.equal(variableName('{{level}}'), 'level');
    assert.equal(variableName('x {{ level }}'), null);
    assert.equal(variableName('{{ level }} x'), null);
    assert.equal(variableName('{{ a }} {{ b }}'), null);
    assert.equal(variableName('{{ }}'), null);
    assert.equal(variableName('{{}}'), null);
    assert.equal(variableName('level'), null);
  });

  const full = event({
    message: 'formatted text',
    transaction: '/pay',
    level: 'fatal',
    logger: 'shop.pay',
    release: 'shop@1.2',
    environment: 'live',
    tags: [{ key: 'region', value: 'eu' }],
    exceptions: [
      exception({ type: 'KeyError', value: 'cause' }),
      exception({
        type: 'ValueError',
        value: 'shown',
        frames: [
          frame({
            filename: 'app/a.py',
            abs_path: '/srv/app/a.py',
            module: 'app.a',
            function: 'f',
            package: '/opt/lib/app.so',
          }),
          systemFrame({ filename: 'lib/b.py', abs_path: '/lib/b.py', module: 'lib.b', function: 'g', package: 'b' }),
        ],
      }),
    ],
  });
  const values: [string, string, string][] = [
    ['transaction', '/pay', '<no-transaction>'],
    ['message', 'formatted text', '<no-message>'],
    ['error.type', 'ValueError', '<no-type>'],
    ['type', 'ValueError', '<no-type>'],
    ['error.value', 'shown', '<no-value>'],
    ['value', 'shown', '<no-value>'],
    ['stack.function', 'f', '<no-function>'],
    ['function', 'f', '<no-function>'],
    ['stack.abs_path', '/srv/app/a.py', '<no-abs-path>'],
    ['path', '/srv/app/a.py', '<no-abs-path>'],
    ['stack.filename', 'app/a.py', '<no-filename>'],
    ['stack.module', 'app.a', '<no-module>'],
    ['module', 'app.a', '<no-module>'],
    ['stack.package', 'app.so', '<no-package>'],
    ['package', 'app.so', '<no-package>'],
    ['level', 'fatal', 'error'],
    ['logger', 'shop.pay', '<no-logger>'],
    ['tags.region', 'eu', '<no-value-for-tag-region>'],
    ['tags.release', 'shop@1.2', '<no-value-for-tag-release>'],
    ['tags.environment', 'live', '<no-value-for-tag-environment>'],
    ['colour', '<unrecognized-variable-colour>', '<unrecognized-variable-colour>'],
  ];
  for (const [name, value, placeholder] of values) {
    it(`resolves ${name}`, () => {
      assert.equal(resolveVariable(name, full), value);
      assert.equal(resolveVariable(name, event()), placeholder);
    });
  }

  it('takes the message from template or exception when no text was sent', () => {
    assert.equal(resolveVariable('message', event({ logentry: { message: 'a %s', params: null } })), 'a %s');
    assert.equal(resolveVariable('message', crash()), 'bad 1');
  });

  it('takes the frame of the grouped thread: the last application frame, else the last one', () => {
    const frames = [systemFrame({ function: 'old' }), systemFrame({ function: 'new' })];
    assert.equal(resolveVariable('function', event({ threads: [thread({ frames })] })), 'new');
  });

  it('survives a long hostile entry', () => {
    const entry = `{{${' '.repeat(100_000)}x`;
    assert.match(keyOf(withPrint(entry)), /^[0-9a-f]{32}$/);
  });
});
