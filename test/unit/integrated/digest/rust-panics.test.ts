import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { culpritOf } from '../../../../src/integrated/digest/culprit.ts';
import { keyOf } from './group/v1/events.ts';
import { normalise } from './digest-support.ts';

/** Recorded with sentry 0.49.5 and rustc 1.95: `== value`, then per frame in_app, function, crate and place. */
const RECORDED = readFileSync(new URL('../../../fixtures/rust-0.49.5/panics.txt', import.meta.url), 'utf8');

function frameOf(line: string): object {
  const [mark, name, crate, place = '-'] = line.split('\t');
  const [, path = '', lineno = ''] = /^(.+):(\d+)$/.exec(place) ?? [];
  return {
    function: name,
    in_app: mark === '+',
    ...(crate === '-' ? {} : { package: crate }),
    ...(path === '' ? {} : { abs_path: path, filename: path.slice(path.lastIndexOf('/') + 1), lineno: Number(lineno) }),
  };
}

const panics = RECORDED.split(/^== /m)
  .slice(1)
  .map((text) => {
    const [value = '', ...lines] = text.trimEnd().split('\n');
    const exception = { type: 'panic', value, stacktrace: { frames: lines.map(frameOf) } };
    return { value, raw: { platform: 'native', sdk: { name: 'sentry.rust' }, exception: [exception] } };
  });

const EXPECTED: readonly [value: string, culprit: string, key: string][] = [
  ['card declined', 'shop::pay', '856926f5788b5eda4445fdb548d0a8a1'],
  ['index out of bounds: the len is 2 but the index is 9', 'shop::pick', '7ddc05762dd7460987d15bea9e51273b'],
  [
    'called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }',
    'shop::read',
    'a5c288c2d42267dc5c72a0b6096fb2ed',
  ],
  ['RefCell already mutably borrowed', 'shop::Cart::total', '637a47aff1dd01bf55e84e36f2807c0a'],
  ['in a closure', 'shop::main::{{closure}}', '86ec1ea4f9523296d34ed5bc7f5d1cc8'],
];

describe('panics of Rust', () => {
  it('are shown where the application panicked, not in the runtime', () => {
    assert.deepEqual(
      panics.map(({ value, raw }) => [value, culpritOf(normalise(raw))]),
      EXPECTED.map(([value, culprit]) => [value, culprit]),
    );
  });

  it('keep the keys that they had under the culprit of the runtime', () => {
    assert.deepEqual(
      panics.map(({ value, raw }) => [value, keyOf(normalise(raw))]),
      EXPECTED.map(([value, , key]) => [value, key]),
    );
  });

  it('in two closures of one function are one error: the line and the text of the panic do not count', () => {
    const recorded = RECORDED.split(/^== /m).find((text) => text.startsWith('in a closure\n')) ?? '';
    const calls = recorded.trimEnd().split('\n').slice(1);
    const closure = calls.findIndex((line) => line.includes('shop::main::{{closure}}'));
    const panicsAt = (lineno: number, value: string, ...unwrapping: string[]) => {
      const lines = calls.map((line, index) => (index === closure ? line.replace(/:\d+$/, `:${lineno}`) : line));
      lines.splice(closure + 1, 0, ...unwrapping);
      const exception = { type: 'panic', value, stacktrace: { frames: lines.map(frameOf) } };
      return keyOf(normalise({ platform: 'native', sdk: { name: 'sentry.rust' }, exception: [exception] }));
    };
    const library = '/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/result.rs';
    const macro = panicsAt(40, 'no stock');
    const unwrap = panicsAt(
      47,
      'called `Result::unwrap()` on an `Err` value: Timeout',
      `-\tcore::result::unwrap_failed\tcore\t${library}:1862`,
      `-\tcore::result::Result<T,E>::unwrap\tcore\t${library}:1233`,
    );
    assert.equal(unwrap, macro);
    assert.equal(macro, EXPECTED.find(([value]) => value === 'in a closure')?.[2]);
  });

  it('are shown in the runtime where no frame is the application’s own', () => {
    const frames = [
      { function: 'core::panicking::panic_fmt', in_app: false },
      { function: '__rustc::rust_begin_unwind', in_app: true },
    ];
    const raw = { platform: 'native', exception: [{ type: 'panic', value: 'stripped', stacktrace: { frames } }] };
    assert.equal(culpritOf(normalise(raw)), '__rustc::rust_begin_unwind');
  });

  it('are shown in the application, not in a crate that the SDK marks as its own code', () => {
    const registry = '/home/ci/.cargo/registry/src/index.crates.io/serde_json-1.0.1/src/de.rs';
    const frames = [
      { function: 'shop::main', abs_path: '/src/main.rs', in_app: true },
      { function: 'serde_json::from_str', abs_path: registry, in_app: true },
      { function: '__rustc::rust_begin_unwind', in_app: true },
    ];
    const exception = [{ type: 'panic', value: 'bad', stacktrace: { frames } }];
    const raw = { platform: 'native', sdk: { name: 'sentry.rust' }, exception };
    assert.equal(culpritOf(normalise(raw)), 'shop::main');
  });

  it('do not apply to namespaces of other languages that are named like a library of Rust', () => {
    const frames = [{ function: 'core::Engine::run', abs_path: '/src/engine.cpp', in_app: true }];
    const raw = { platform: 'native', exception: [{ type: 'SIGSEGV', stacktrace: { frames } }] };
    assert.equal(culpritOf(normalise(raw)), 'core::Engine::run');
  });
});
