import { different, same } from '../pair.ts';
import { cocoa } from '../shapes/native.ts';

const shop = '/private/var/containers/Bundle/Application/0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0/Shop.app/Shop';
const later = '/private/var/containers/Bundle/Application/11223344-5566-7788-99AA-BBCCDDEEFF00/Shop.app/Shop';

export const swiftPairs = [
  same(
    'a specialised and a plain function in another container',
    cocoa({
      type: 'Fatal error',
      value: 'Index out of range',
      stack: `
        0x18 /usr/lib/swift/libswiftCore.dylib _assertionFailure(_:_:file:line:flags:)
        0x1a ${shop} specialized Grid.cell(at:) at /build/Grid.swift:8
        0x1b ${shop} GridView.draw(_:) at /build/GridView.swift:20`,
    }),
    cocoa({
      type: 'Fatal error',
      value: 'Index out of range',
      stack: `
        0x28 /usr/lib/swift/libswiftCore.dylib _assertionFailure(_:_:file:line:flags:)
        0x2a ${later} Grid.cell(at:) at /build/Grid.swift:9
        0x2b ${later} GridView.draw(_:) at /build/GridView.swift:21`,
    }),
  ),
  same(
    'blocks of Objective-C renumbered',
    cocoa({
      type: 'NSRangeException',
      value: '*** -[__NSArrayM objectAtIndex:]: index 4 beyond bounds [0 .. 3]',
      stack: `0x1 ${shop} __24-[ACFeed reloadWithItems:]_block_invoke at ACFeed.m:30\n0x2 ${shop} -[ACFeed reloadWithItems:] at ACFeed.m:22`,
    }),
    cocoa({
      type: 'NSRangeException',
      value: '*** -[__NSArrayM objectAtIndex:]: index 11 beyond bounds [0 .. 9]',
      stack: `0x1 ${later} __24-[ACFeed reloadWithItems:]_block_invoke_2 at ACFeed.m:36\n0x2 ${later} -[ACFeed reloadWithItems:] at ACFeed.m:25`,
    }),
  ),
  different(
    'two signals in one function',
    cocoa({
      type: 'EXC_BAD_ACCESS',
      value: 'Attempted to dereference null pointer.',
      stack: `0x1 ${shop} Cart.add(_:) at Cart.swift:42`,
    }),
    cocoa({ type: 'EXC_BREAKPOINT', value: 'Fatal error', stack: `0x1 ${shop} Cart.add(_:) at Cart.swift:44` }),
  ),
  different(
    'another caller of one helper',
    cocoa({
      type: 'EXC_BREAKPOINT',
      value: 'x',
      stack: `0x1 ${shop} unwrap(_:) at Util.swift:2\n0x2 ${shop} Cart.open() at Cart.swift:4`,
    }),
    cocoa({
      type: 'EXC_BREAKPOINT',
      value: 'x',
      stack: `0x1 ${shop} unwrap(_:) at Util.swift:2\n0x2 ${shop} Login.open() at Login.swift:4`,
    }),
  ),
  same(
    'recursion of another depth in another container',
    cocoa({
      type: 'EXC_BAD_ACCESS',
      value: 'Stack overflow',
      stack: `${`0x1 ${shop} Tree.walk(_:) at Tree.swift:4\n`.repeat(20)}0x9 ${shop} App.run() at App.swift:1`,
    }),
    cocoa({
      type: 'EXC_BAD_ACCESS',
      value: 'Stack overflow',
      stack: `${`0x1 ${later} Tree.walk(_:) at Tree.swift:4\n`.repeat(33)}0x9 ${later} App.run() at App.swift:1`,
    }),
  ),
];
