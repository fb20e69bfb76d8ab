import assert from 'node:assert/strict';
import { parseLinkHeader } from '../../../../src/thirdparty/http/link-header.ts';
import { recordedHeader } from '../support/recorded-body.ts';
import { processorMs } from '../../../support/processor-time.ts';

describe('Link header of trackers', () => {
  const url = 'https://t.example/api/0/projects/a/b/issues/?query=is:unresolved,x';
  const rows: [name: string, header: string | null, previous: string | null, next: string | null][] = [
    ['none', null, null, null],
    ['something else', 'nonsense, <x', null, null],
    [
      'Sentry',
      `<${url}&cursor=1541451600000:0:1>; rel="previous"; results="false"; cursor="1541451600000:0:1", <${url}&cursor=1541451600000:25:0>; rel="next"; results="true"; cursor="1541451600000:25:0"`,
      null,
      '1541451600000:25:0',
    ],
    [
      'both directions',
      `<${url}&cursor=0:0:1>; rel="previous"; results="true"; cursor="0:0:1", <${url}&cursor=0:200:0>; rel="next"; results="true"; cursor="0:200:0"`,
      '0:0:1',
      '0:200:0',
    ],
    ['relative addresses', '</api/0/x/?cursor=0:100:0>; rel="next"; results="true"', null, '0:100:0'],
    ['only the attribute', '<https://t.example/>; rel="next"; results="true"; cursor="abc"', null, 'abc'],
    [
      'an encoded attribute',
      '<https://t.example/?cursor=YQ%3D%3D>; rel="next"; results="true"; cursor="YQ%3D%3D"',
      null,
      'YQ==',
    ],
    ['an address that is none', '<http://[>; rel="next"; results="true"; cursor="abc"', null, 'abc'],
    ['no word about results', '<https://t.example/?cursor=c>; rel="next"', null, 'c'],
    ['no cursor', '<https://t.example/>; rel="next"; results="true"', null, null],
    ['an endless cursor', `<https://t.example/?cursor=${'x'.repeat(501)}>; rel="next"; results="true"`, null, null],
    [
      'GlitchTip, printed as a set',
      recordedHeader('issues-unresolved', 'link'),
      null,
      'cD0yMDI2LTExLTIwKzE4JTNBNTElM0EyNS4yMTU5MzglMkIwMCUzQTAw',
    ],
    ['GlitchTip, a single page', recordedHeader('projects', 'link'), null, null],
  ];
  for (const [name, header, previous, next] of rows) {
    it(name, () => {
      assert.deepEqual(parseLinkHeader(header), { previous, next });
    });
  }

  it('is read in one pass, whatever is sent', () => {
    const took = processorMs(() => parseLinkHeader(`<${'<a>; rel="next"; '.repeat(20_000)}`));
    assert.ok(took < 1000, `${took} ms`);
  });
});
