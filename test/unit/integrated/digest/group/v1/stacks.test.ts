import type { Frame } from '../../../../../../src/domain/events/event.ts';
import { event, exception, frame, mechanism, systemFrame, thrown } from './events.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

const called = (name: string, members: Partial<Frame> = {}) =>
  frame({ filename: '/srv/app/walk.py', function: name, lineno: 3, context_line: `${name}()`, ...members });

describe('group v1: whole stacks', () => {
  describe('stack overflows', () => {
    const used = { type: 'RecursionError', value: 'maximum recursion depth exceeded' };
    const rounds = (names: string, rest: string, entry: string[], members = used) =>
      thrown(
        'python',
        [...entry, ...Array.from(names.repeat(20) + rest)].map((name) => called(name)),
        members,
      );
    mustGroup([
      ['ends anywhere in the round', rounds('ab', '', ['main']), rounds('ab', 'a', ['main'])],
      ['without the calls at its beginning', rounds('abc', 'a', ['main', 'run']), rounds('bca', '', [])],
      [
        'types of two engines',
        rounds('ab', '', [], { type: 'RangeError', value: 'Maximum call stack size exceeded' }),
        rounds('ab', 'a', [], { type: 'InternalError', value: 'too much recursion' }),
      ],
      [
        'the middle of a long stack without source lines',
        thrown('python', [called('main'), ...Array.from({ length: 70 }, () => called('a'))]),
        thrown('python', [
          called('main'),
          ...Array.from({ length: 70 }, (_, index) =>
            called('a', index > 20 && index < 50 ? { context_line: null } : {}),
          ),
        ]),
      ],
    ]);
    mustNotGroup([
      ['other rounds', rounds('ab', '', ['main']), rounds('ac', '', ['main'])],
      [
        'a round that something else ended',
        rounds('ab', '', [], { type: 'ValueError', value: 'x' }),
        rounds('ab', 'a', [], { type: 'ValueError', value: 'x' }),
      ],
      [
        'errors of one type without a round',
        thrown('javascript', [called('a')], { type: 'RangeError', value: 'Maximum call stack size exceeded' }),
        thrown('javascript', [called('b')], { type: 'RangeError', value: 'Maximum call stack size exceeded' }),
      ],
    ]);
  });

  describe('middleware', () => {
    const go = (name: string) => frame({ module: 'shop/web', function: name });
    const serve = systemFrame({ module: 'net/http', function: 'HandlerFunc.ServeHTTP' });
    const next = systemFrame({ filename: '/app/node_modules/express/lib/router/index.js', function: 'next' });
    const inFolder = frame({ filename: '/srv/app/Http/Middleware/Locale.php', function: 'handle' });
    mustGroup([
      ['of Go', thrown('go', [serve, go('pay')]), thrown('go', [go('withLog.func1'), serve, go('pay')])],
      ['of Express', thrown('node', [called('pay')]), thrown('node', [called('logged'), next, called('pay')])],
      [
        'in a folder of that name',
        thrown('php', [called('pay')]),
        thrown('php', [inFolder, systemFrame(), called('pay')]),
      ],
    ]);
    mustNotGroup([
      ['where the error is', thrown('php', [inFolder]), thrown('php', [called('pay')])],
      ['calls that hand nothing on', thrown('go', [go('a'), go('pay')]), thrown('go', [go('pay')])],
    ]);
  });

  describe('wrappers', () => {
    const cause = exception({ type: 'PriceError', frames: [frame({ module: 'shop.Price', function: 'of' })] });
    const wrapped = (type: string, frames: Frame[]) =>
      event({ platform: 'java', exceptions: [cause, exception({ type, frames })] });
    const alone = event({ platform: 'java', exceptions: [cause] });
    mustGroup([
      ['what another thread raised', wrapped('CompletionException', [systemFrame({ module: 'java.x' })]), alone],
    ]);
    mustNotGroup([
      [
        'a wrapper with calls of the application',
        wrapped('CompletionException', [frame({ module: 'shop.Cart' })]),
        alone,
      ],
      ['another exception around it', wrapped('ShopException', [systemFrame({ module: 'java.x' })]), alone],
    ]);
  });

  describe('scripts without names', () => {
    const at = (colno: number, value = "Cannot read properties of undefined (reading 'id')") =>
      thrown('javascript', [frame({ filename: 'https://a.b/main.js', function: 't', lineno: 1, colno })], { value });
    mustGroup([
      ['places that a build moved a little', at(84_120), at(84_966)],
      ['the words of three browsers', at(9000), at(9000, 'can\'t access property "id", e is undefined')],
      ['the words of two browsers', at(9000), at(9000, "undefined is not an object (evaluating 'e.id')")],
    ]);
    mustNotGroup([
      ['clearly different places', at(3000), at(84_000)],
      ['properties', at(9000), at(9000, "Cannot read properties of undefined (reading 'name')")],
    ]);
  });

  describe('signals', () => {
    const killed = (type: string) =>
      thrown('native', [frame({ function: 'run' })], { type, mechanism: mechanism({ synthetic: true }) });
    mustNotGroup([['two of them', killed('SIGSEGV'), killed('SIGABRT')]]);
    mustGroup([['types that an SDK made up', killed('Crash'), killed('Stop')]]);
  });
});
