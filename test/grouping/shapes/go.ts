import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<name>\S+) (?<path>\S+):(?<line>\d+)$/;

/** `github.com/acme/shop/cart.(*Service).Add /build/cart/service.go:42`: the SDK splits package and function. */
function frameOfGo(line: string): RawFrame {
  const { name = '', path = '', line: lineno } = partsOf(line, LINE);
  const dot = name.indexOf('.', name.lastIndexOf('/') + 1);
  return {
    function: name.slice(dot + 1),
    module: name.slice(0, dot),
    abs_path: path,
    lineno: Number(lineno),
    in_app: !path.startsWith('/usr/local/go/') && !name.includes('vendor') && !name.includes('third_party'),
  };
}

export const go = eventBuilder(frameOfGo, { platform: 'go', sdk: { name: 'sentry.go', version: '0.27.0' } });
