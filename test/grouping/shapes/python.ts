import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<path>\S+):(?<line>\d+) in (?<name>[^|]+?)(?: \| (?<code>.*))?$/;
const ROOT = /^.*\/(?:(?:site|dist)-packages|lib\/python[\d.]+|app)\//;

/** `/srv/app/shop/views.py:12 in index | return cart.total()`; the program lies in a folder `app`. */
function frameOfPython(line: string): RawFrame {
  const { name, path = '', line: lineno, code } = partsOf(line, LINE);
  const filename = path.replace(ROOT, '');
  return {
    abs_path: path,
    filename,
    module: filename.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.'),
    function: name,
    lineno: Number(lineno),
    ...(code === undefined ? {} : { context_line: code, pre_context: [], post_context: [] }),
    in_app: !/(?:site|dist)-packages|\/lib\/python[\d.]+\//.test(path),
  };
}

export const python = eventBuilder(frameOfPython, {
  platform: 'python',
  sdk: { name: 'sentry.python', version: '2.68.0' },
});
