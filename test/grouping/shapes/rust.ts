import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<name>.+?)(?: at (?<path>\S+?):(?<line>\d+))?(?: (?<address>0x[\da-f]+))?$/;
const SYSTEM = /^(?:<?(?:std|core|alloc|backtrace|sentry\w*|tokio|anyhow|rust_begin_unwind|__rust)\b)/;

/** `shop::cart::add at /build/src/cart.rs:12 0x55d0c0ffee00`. */
function frameOfRust(line: string): RawFrame {
  const { name = '', path, line: lineno, address } = partsOf(line, LINE);
  return {
    function: name,
    ...(path === undefined
      ? {}
      : { abs_path: path, filename: path.slice(path.lastIndexOf('/') + 1), lineno: Number(lineno) }),
    ...(address === undefined ? {} : { instruction_addr: address }),
    in_app: !SYSTEM.test(name),
  };
}

export const rust = eventBuilder(frameOfRust, { platform: 'native', sdk: { name: 'sentry.rust', version: '0.31.0' } });
