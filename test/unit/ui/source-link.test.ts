import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Frame } from '../../../ui/src/lib/event-view.ts';
import { sourceLink } from '../../../ui/src/lib/source-link.ts';
import { captureRecord, CAPTURE_NAMES, digester } from '../integrated/digest/digest-support.ts';

const REPOSITORY = {
  url_template: 'https://git.test/shop/-/blob/{ref}/{path}#L{line}',
  default_ref: 'main',
  ref_template: 'v{version}',
  prefixes: [
    { from: '/app/', to: '' },
    { from: 'C:\\work\\shop', to: 'win' },
    { from: '/srv/sample', to: 'sample' },
    { from: '/opt/', to: 'deploy' },
  ],
};

const frameAt = (patch: Partial<Frame>) => ({
  ...{ in_app: true, filename: null, abs_path: null, module: null, lineno: 7 },
  ...patch,
});
const pathOf = (patch: Partial<Frame>, release: string | null = null) => {
  const link = sourceLink(frameAt(patch), release, REPOSITORY);
  return link?.replace('https://git.test/shop/-/blob/', '') ?? null;
};

describe('source links of frames', () => {
  it('replace the first prefix that fits, at the bounds of a path', () => {
    for (const [frame, expected] of [
      [{ abs_path: '/app/src/cart.py', filename: 'src/cart.py' }, 'main/src/cart.py#L7'],
      [{ filename: '/app/cart.py' }, 'main/cart.py#L7'],
      [{ filename: '/application/cart.py' }, null],
      [{ filename: '/srv/sample/x.js' }, 'main/sample/x.js#L7'],
      [{ filename: '/srv/samples/x.js' }, null],
      [{ filename: '/opt/x.js' }, 'main/deploy/x.js#L7'],
      [{ abs_path: '/elsewhere/x.js' }, null],
      [{ filename: 'lib/x.rb', abs_path: '/elsewhere/lib/x.rb' }, 'main/lib/x.rb#L7'],
      [{ filename: 'C:\\work\\shop\\src\\Cart.cs' }, 'main/win/src/Cart.cs#L7'],
      [{ filename: 'file:///C:/work/shop/Cart.cs' }, 'main/win/Cart.cs#L7'],
      [{ filename: 'D:\\other\\Cart.cs' }, null],
      [{ filename: '\\\\share\\other\\Cart.cs' }, null],
      [{ filename: 'src\\Cart.cs' }, 'main/src/Cart.cs#L7'],
      [{ filename: 'app:///src/cart.js' }, 'main/src/cart.js#L7'],
      [{ filename: 'webpack:///./src/cart.js' }, 'main/src/cart.js#L7'],
      [{ filename: 'webpack://shop/./src/cart.js?a1b2' }, 'main/src/cart.js#L7'],
      [{ filename: 'https://cdn.test/app/src/cart.js?v=1' }, 'main/src/cart.js#L7'],
      [{ filename: 'Cart.java', module: 'com.acme.shop.Cart' }, 'main/com/acme/shop/Cart.java#L7'],
      [{ filename: 'Cap.java', module: 'Cap' }, 'main/Cap.java#L7'],
    ] as const) {
      assert.equal(pathOf(frame), expected, JSON.stringify(frame));
    }
  });

  it('lead to the commit of which the release was built, where no tag is named after it', () => {
    const frame = frameAt({ filename: 'src/cart.py' });
    const refIn = (release: string | null, template: string) =>
      sourceLink(frame, release, { ...REPOSITORY, ref_template: template }, 'f00dbabe1')?.split('/')[6];
    assert.equal(refIn('shop@1.2.3', ''), 'f00dbabe1');
    assert.equal(refIn('shop@1.2.3', 'v{version}'), 'v1.2.3');
    assert.equal(refIn('no tag', '{release}'), 'f00dbabe1');
  });

  it('never lead out of the repository, and encode what a file is named', () => {
    for (const [filename, expected] of [
      ['../../etc/passwd', null],
      ['src/../../x.py', null],
      ['src/../x.py', 'main/x.py#L7'],
      ['..\\..\\x.py', null],
      ['%2e%2e/%2e%2e/x.py', 'main/%252e%252e/%252e%252e/x.py#L7'],
      ['a b/ü#1?.py', 'main/a%20b/%C3%BC%231%3F.py#L7'],
      ['{line}/{ref}.py', 'main/%7Bline%7D/%7Bref%7D.py#L7'],
      ['javascript:alert(1)', null],
      ['data:text/html,x', null],
      ['//evil.test/x.js', null],
      ['https://evil.test', null],
      ['<anonymous>', null],
      ['[native code]', null],
      ['node:internal/fs', null],
      ['x\u0000.py', null],
      ['x\ud800.py', null],
      ['', null],
      ['.', null],
      ['x'.repeat(1001), null],
    ] as const) {
      assert.equal(pathOf({ filename }), expected, filename);
    }
  });

  it('are of application frames only, and name a line', () => {
    assert.equal(pathOf({ filename: 'x.py', in_app: false }), null);
    for (const [lineno, shown] of [
      [12, 12],
      [null, 1],
      [0, 1],
      [-3, 1],
    ] as const) {
      assert.equal(pathOf({ filename: 'x.py', lineno }), `main/x.py#L${shown}`);
    }
  });

  it('take the ref from the release', () => {
    const refs = (release: string | null, changes: object) => {
      const repository = { ...REPOSITORY, ...changes };
      return sourceLink(frameAt({ filename: 'x.py' }), release, repository)?.match(/blob\/(.*)\/x\.py/)?.[1];
    };
    for (const [release, ref_template, expected] of [
      ['shop@1.2.3', 'v{version}', 'v1.2.3'],
      ['@acme/shop@1.2.3', 'v{version}', 'v1.2.3'],
      ['1.2.3', 'v{version}', 'v1.2.3'],
      ['shop@1.2.3', '{release}', 'shop%401.2.3'],
      ['f00dcafe', '{release}', 'f00dcafe'],
      ['release/7', '{release}', 'release/7'],
      ['shop@1.2.3', '', 'main'],
      [null, 'v{version}', 'main'],
      ['', 'v{version}', 'main'],
      ['../../x', '{release}', 'main'],
      ['a b', '{release}', 'main'],
      ['{version}', '{release}', '%7Bversion%7D'],
    ] as const) {
      assert.equal(refs(release, { ref_template }), expected, `${release} ${ref_template}`);
    }
    assert.equal(refs(null, { default_ref: 'feature/x#1' }), 'feature/x%231');
  });

  it('keep their host and stay below the path of the template, whatever an event names', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '..',
            '.',
            '/',
            '\\',
            '%2e',
            '@',
            ':',
            '?',
            '#',
            '{path}',
            'C:',
            'x',
            'javascript:',
            '//',
            '\u202e',
            '\n',
          ),
        )
        .map((parts) => parts.join('')),
    );
    const text = fc.option(hostile, { nil: null });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.option(fc.double(), { nil: null }),
        (filename, abs_path, module, release, lineno) => {
          const frame = { in_app: true, filename, abs_path, module, lineno };
          for (const ref_template of ['{release}', 'v{version}']) {
            const link = sourceLink(frame, release, { ...REPOSITORY, ref_template });
            if (link === null) continue;
            const url = new URL(link);
            assert.equal(url.origin, 'https://git.test');
            assert.ok(url.pathname.startsWith('/shop/-/blob/'), link);
            assert.match(url.hash, /^#L\d+$/);
            assert.equal(url.search, '');
            assert.ok(!decodeURIComponent(url.pathname).split('/').includes('..'), link);
            assert.match(link, /^[\x21-\x7e]+$/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('lead to the files of what SDKs of all languages send', () => {
    const digest = digester();
    const found = new Map<string, Set<string | null>>();
    for (const name of CAPTURE_NAMES) {
      const record = captureRecord(name);
      const payload = record === null ? null : (digest(record).event?.payload ?? null);
      if (payload === null) continue;
      const event = JSON.parse(payload) as { exceptions: { frames: Frame[] | null }[]; release: string | null };
      const sdk = name.split(/[-/]/)[0] ?? '';
      const links = found.get(sdk) ?? new Set();
      found.set(sdk, links);
      for (const frame of event.exceptions.flatMap(({ frames }) => frames ?? [])) {
        // Ruby and browsers tell their own code only once its root is configured.
        const isOwn = frame.in_app || sdk === 'ruby' || sdk === 'browser';
        if (isOwn) links.add(pathOf({ ...frame, in_app: true, lineno: 1 }, event.release));
      }
    }
    const shown = Object.fromEntries([...found].map(([sdk, links]) => [sdk, [...links].sort()]));
    assert.deepEqual(shown, {
      browser: [],
      go: ['v1.0.0/sample/go20/app/main.go#L1', 'v1.0.0/sample/go27/app/main.go#L1'],
      java: ['v1.0.0/Cap.java#L1'],
      node: ['v1.0.0/sample/node.js#L1'],
      php: ['v1.0.0/sample/php/cap.php#L1'],
      python: ['v1.0.0/sample/py.py#L1', 'v1.0.0/sample/py121.py#L1'],
      ruby: ['v1.0.0/-e#L1', 'v1.0.0/cap.rb#L1'],
    });
  });
});
