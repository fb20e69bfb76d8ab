import assert from 'node:assert/strict';
import { normalise } from '../digest-support.ts';

const images = [
  { code_file: '/opt/shop/shopd', image_addr: '0x55810a200000', image_size: 4096 * 100 },
  { code_file: '/usr/lib/libc.so.6', image_addr: '0x7f3a8c000000', image_size: 4096 * 100 },
];

function filesOf(frame: object, meta: unknown = { images }): (string | null)[] {
  const stacktrace = { frames: [{ ...frame }] };
  const raw = { platform: 'native', exception: { type: 'SIGSEGV', stacktrace }, debug_meta: meta };
  return normalise(raw).exceptions[0]?.frames?.map(({ filename }) => filename) ?? [];
}

describe('frames without symbols', () => {
  const shopd = { instruction_addr: '0x55810a2411a3', package: '/opt/shop/shopd' };
  const rows: [what: string, frame: object, expected: string | null, meta?: unknown][] = [
    ['are named after their image and place in it', shopd, 'shopd+0x411a3'],
    ['take the image that they name themselves', { ...shopd, image_addr: '0x55810a240000' }, 'shopd+0x11a3'],
    ['on other systems have other paths', { ...shopd, package: 'C:\\shop\\shopd.exe' }, 'shopd.exe+0x411a3'],
    ['keep their place in the page where the image is unknown', shopd, 'shopd+~0x1a3', null],
    ['outside every image too', { ...shopd, instruction_addr: '0x7f3a8d000abc' }, 'shopd+~0xabc'],
    ['may write addresses as numbers', { ...shopd, instruction_addr: 0x55810a2411a3 }, 'shopd+0x411a3'],
    ['with a placeholder for a name are meant as well', { ...shopd, function: '<redacted>' }, 'shopd+0x411a3'],
    ['keep a name that they have', { ...shopd, function: 'pay' }, null],
    ['keep a file that they have', { ...shopd, filename: 'pay.c' }, 'pay.c'],
    ['stay as they are with an address that is none', { ...shopd, instruction_addr: 'x' }, null],
    ['bear a list of anything', shopd, 'shopd+~0x1a3', { images: [null, 5, {}, { image_addr: -1 }] }],
  ];
  for (const [what, frame, expected, meta] of rows) {
    it(what, () => assert.deepEqual(filesOf(frame, ...(meta === undefined ? [] : [meta])), [expected]));
  }

  it('add no note on platforms without images', () => {
    const raw = { platform: 'python', exception: { type: 'E', stacktrace: { frames: [{ ...shopd }] } } };
    assert.equal(normalise(raw).exceptions[0]?.frames?.[0]?.filename, null);
  });

  it('read no more of endless lists than they must', () => {
    const frames = Array.from({ length: 5000 }, () => ({ ...shopd }));
    const raw = { platform: 'native', threads: { values: [{ stacktrace: { frames } }] }, debug_meta: { images } };
    assert.equal(normalise(raw).threads[0]?.frames?.[0]?.filename, 'shopd+0x411a3');
  });
});
