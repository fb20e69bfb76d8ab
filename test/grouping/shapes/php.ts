import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<name>.+?) (?<path>\/\S+|\[internal\]):(?<line>\d+)(?: \| (?<code>.*))?$/;

/** `App\Cart::add /var/www/html/src/Cart.php:42`; the program's prefix is cut off as the SDK does. */
function frameOfPhp(line: string): RawFrame {
  const { name = '', path = '', line: lineno, code } = partsOf(line, LINE);
  return {
    filename: path.replace(/^\/var\/www\/(?:html|releases\/\d+)/, ''),
    ...(path.startsWith('/') ? { abs_path: path } : {}),
    ...(name === '-' ? {} : { function: name }),
    lineno: Number(lineno),
    in_app: path.startsWith('/') && !path.includes('/vendor/'),
    ...(code === undefined ? {} : { context_line: code, pre_context: [], post_context: [] }),
  };
}

export const php = eventBuilder(frameOfPhp, { platform: 'php', sdk: { name: 'sentry.php', version: '4.29.0' } });
