import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<address>0x[\da-f]+) (?<image>\S+)(?: (?<name>.+?))?(?: at (?<path>\S+):(?<line>\d+))?$/;
const SYSTEM = /^\/(?:usr\/)?lib|^C:\\WINDOWS|^\/System\//i;

/** `0x7f03 /opt/shop/shopd shop::Cart::add(int) at /build/cart.cc:12`; without symbols a line ends after the image. */
function frameOfNative(line: string): RawFrame {
  const { address, image = '', name, path, line: lineno } = partsOf(line, LINE);
  return {
    instruction_addr: address,
    package: image,
    ...(name === undefined ? {} : { function: name }),
    ...(path === undefined
      ? {}
      : { abs_path: path, filename: path.slice(path.lastIndexOf('/') + 1), lineno: Number(lineno) }),
    in_app: !SYSTEM.test(image),
  };
}

export const native = eventBuilder(frameOfNative, {
  platform: 'native',
  level: 'fatal',
  sdk: { name: 'sentry.native', version: '0.7.2' },
});

const APPLE_SYSTEM = /\/(?:System|usr)\/|\/(?:UIKit|Foundation|libswift)\w*/;

function frameOfCocoa(line: string): RawFrame {
  const frame = frameOfNative(line);
  return { ...frame, in_app: !APPLE_SYSTEM.test(String(frame.package)) };
}

/** Apple's systems: Swift and Objective-C. */
export const cocoa = eventBuilder(frameOfCocoa, {
  platform: 'cocoa',
  sdk: { name: 'sentry.cocoa', version: '8.36.0' },
});
