import { eventBuilder, partsOf, type EventBuilder, type RawFrame } from './event-builder.ts';

const LINE = /^(?<name>[^(]+)\((?<place>[^)]*)\)$/;

/** `com.acme.shop.Cart.add(Cart.java:42)`, also `(Native Method)` and `(Unknown Source)`. */
function frameOfJava(line: string): RawFrame {
  const { name = '', place = '' } = partsOf(line, LINE);
  const dot = name.lastIndexOf('.');
  const [file, lineno] = place.split(':');
  return {
    module: name.slice(0, dot),
    function: name.slice(dot + 1),
    native: place === 'Native Method',
    ...(place === 'Native Method' || place === 'Unknown Source' ? {} : { filename: file }),
    ...(lineno === undefined ? {} : { lineno: Number(lineno) }),
  };
}

/** Without `in-app-includes` in its configuration the SDK says nothing about whose code a frame is. */
export const java = eventBuilder(frameOfJava, { platform: 'java', sdk: { name: 'sentry.java', version: '8.53.0' } });

function frameWithInclude(line: string): RawFrame {
  const frame = frameOfJava(line);
  return { ...frame, in_app: String(frame.module).startsWith('com.acme') };
}

/** The SDK with `in-app-includes=com.acme`. */
export const javaWithIncludes: EventBuilder = eventBuilder(frameWithInclude, {
  platform: 'java',
  sdk: { name: 'sentry.java.spring-boot.jakarta', version: '7.14.0' },
});

export const android = eventBuilder(frameWithInclude, {
  platform: 'java',
  sdk: { name: 'sentry.java.android', version: '7.14.0' },
});
