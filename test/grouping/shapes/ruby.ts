import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<path>\S+):(?<line>\d+) in (?<name>[^|]+?)(?: \| (?<code>.*))?$/;

/** `/app/app/models/cart.rb:12 in block in add`; the program lies in `/app`. */
function frameOfRuby(line: string): RawFrame {
  const { name, path = '', line: lineno, code } = partsOf(line, LINE);
  const ofGem = /\/gems\/|\/ruby\/\d/.test(path);
  const filename = ofGem ? path.replace(/^.*\/(?:lib|ruby\/[\d.]+)\//, '') : path.replace(/^\/app\//, '');
  return {
    abs_path: path,
    filename,
    function: name,
    lineno: Number(lineno),
    in_app: !ofGem && path.startsWith('/app/'),
    ...(code === undefined ? {} : { context_line: `${code}\n`, pre_context: [], post_context: [] }),
  };
}

export const ruby = eventBuilder(frameOfRuby, {
  platform: 'ruby',
  sdk: { name: 'sentry.ruby.rails', version: '6.6.2' },
});
