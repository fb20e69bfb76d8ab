import type { Frame, ShownException } from './event-view.ts';
import { fileOf, qualifierOf, stackLanguage, type Language } from './frame-names.ts';

/** Exception and its calls, innermost first. */
type Thrown = Pick<ShownException, 'type' | 'value' | 'module' | 'frames' | 'source'>;

/** Form of a language. */
interface Form {
  /** One frame as its line or lines. `index`: 0 for the innermost. */
  readonly frame: (frame: Frame, index: number) => string;
  /** All exceptions, the last one thrown first. */
  readonly whole: (thrown: readonly Thrown[], form: Form) => string;
}

const nameOf = (frame: Frame, blank: string): string => {
  const { function: name } = frame;
  return name === null || name === '' ? blank : name;
};

function qualified(frame: Frame, language: Language, blank = '?'): string {
  return qualifierOf(frame, language) + nameOf(frame, blank);
}

/** The whole path, as runtimes print it and editors find it. */
const pathOf = (frame: Frame): string => frame.abs_path || fileOf(frame) || '?';

/** A called function: some SDKs send its parameters with its name. */
const called = (name: string, parameters: string): string => (name.endsWith(')') ? name : name + parameters);

/** File and line, with a colon and, where known, the column: `file.js:1:2`. */
function placeOf(frame: Frame): string {
  const { lineno, colno } = frame;
  const line = lineno === null ? '' : `:${lineno}`;
  return `${pathOf(frame)}${line}${lineno === null || colno === null ? '' : `:${colno}`}`;
}

const headOf = ({ type, value }: Thrown): string =>
  [type, value].filter((part) => part !== null && part !== '').join(': ') || 'Error';

/** Modules whose exceptions Python prints by their name alone. */
const BUILT_IN: ReadonlySet<string> = new Set(['builtins', '__main__', 'exceptions']);

/** Head with the package of the type, as in Java, .NET and Python. */
function fullHeadOf(thrown: Thrown): string {
  const { type, module } = thrown;
  const inside = type === null || module === null || module === '' || type.includes('.') || BUILT_IN.has(module);
  return inside ? headOf(thrown) : `${module}.${headOf(thrown)}`;
}

const framesOf = ({ frames }: Thrown, { frame }: Form): string[] => frames.map((one, index) => frame(one, index));

/** Head and frames of each, the causes after it. */
function causesLast(head: (thrown: Thrown) => string) {
  return (thrown: readonly Thrown[], form: Form): string =>
    thrown
      .map((one, index) => [(index === 0 ? '' : 'Caused by: ') + head(one), ...framesOf(one, form)].join('\n'))
      .join('\n');
}

/** What Python says between two exceptions. */
const FOLLOWS = {
  cause: 'The above exception was the direct cause of the following exception:',
  context: 'During handling of the above exception, another exception occurred:',
} as const;

const python: Form = {
  frame: (frame) => {
    const line = frame.lineno === null ? '' : `, line ${frame.lineno}`;
    const source = frame.context_line?.trim() ?? '';
    return `  File "${pathOf(frame)}"${line}, in ${nameOf(frame, '?')}${source === '' ? '' : `\n    ${source}`}`;
  },
  // The first exception and the outermost call come first.
  whole: (thrown, form) =>
    thrown
      .map((one, index) => {
        const lines = ['Traceback (most recent call last):', ...framesOf(one, form).reverse(), fullHeadOf(one)];
        return index === 0 ? lines : [...lines, '', FOLLOWS[one.source === '__context__' ? 'context' : 'cause'], ''];
      })
      .reverse()
      .flat()
      .join('\n'),
};

/** Line that Java gives methods without Java code. */
const NATIVE = -2;

const java: Form = {
  frame: (frame) => {
    const file = frame.filename ?? '';
    const line = frame.lineno === null || frame.lineno < 0 ? '' : `:${frame.lineno}`;
    const place = frame.lineno === NATIVE ? 'Native Method' : file === '' ? 'Unknown Source' : file + line;
    return `\tat ${qualified(frame, 'java')}(${place})`;
  },
  whole: causesLast(fullHeadOf),
};

const javascript: Form = {
  frame: (frame) => {
    const name = nameOf(frame, '');
    return name === '' ? `    at ${placeOf(frame)}` : `    at ${name} (${placeOf(frame)})`;
  },
  whole: causesLast(headOf),
};

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** JavaScript in Node.js, which prints causes inside braces. */
const node: Form = {
  frame: javascript.frame,
  whole: ([first, ...causes], form): string => {
    if (first === undefined) return '';
    const own = [headOf(first), ...framesOf(first, form)].join('\n');
    return causes.length === 0 ? own : `${own} {\n  [cause]: ${indented(node.whole(causes, form))}\n}`;
  },
};

const go: Form = {
  frame: (frame) => {
    const line = frame.lineno === null ? '' : `:${frame.lineno}`;
    return `${qualified(frame, 'go')}(...)\n\t${pathOf(frame)}${line}`;
  },
  whole: (thrown, form) =>
    thrown.map((one) => [headOf(one), '', 'goroutine 1 [running]:', ...framesOf(one, form)].join('\n')).join('\n\n'),
};

const ruby: Form = {
  frame: (frame, index) => {
    const line = frame.lineno === null ? '' : `:${frame.lineno}`;
    return `${index === 0 ? '' : '\tfrom '}${pathOf(frame)}${line}:in '${nameOf(frame, '?')}'`;
  },
  // The head ends the line of the innermost frame.
  whole: (thrown, form) =>
    thrown
      .map((one) => {
        const said = `${one.value ?? ''}${one.type === null ? '' : ` (${one.type})`}`.trim() || 'Error';
        const [first, ...rest] = framesOf(one, form);
        return [first === undefined ? said : `${first}: ${said}`, ...rest].join('\n');
      })
      .join('\n'),
};

const phpPlace = (frame: Frame): string =>
  `${frame.abs_path || frame.filename || '[internal function]'}${frame.lineno === null ? '' : `(${frame.lineno})`}`;

const php: Form = {
  frame: (frame, index) => `#${index} ${phpPlace(frame)}: ${called(nameOf(frame, '{main}'), '()')}`,
  // PHP writes the place of a call beside the called function, one step apart from other languages; causes come first.
  whole: (thrown) =>
    thrown
      .map((one) => {
        const [first] = one.frames;
        const place = first === undefined ? '' : ` in ${first.abs_path || first.filename || '?'}:${first.lineno ?? 0}`;
        const calls = one.frames.slice(1).map((frame, at) => {
          const inner = one.frames[at];
          return `#${at} ${phpPlace(frame)}: ${inner === undefined ? '?' : called(nameOf(inner, '{main}'), '()')}`;
        });
        return [`${headOf(one)}${place}`, 'Stack trace:', ...calls, `#${calls.length} {main}`].join('\n');
      })
      .reverse()
      .join('\n\nNext '),
};

/** Head of a panic with its place, and of other errors as usual. */
function rustHead(thrown: Thrown): string {
  const { type, value, frames } = thrown;
  if (type !== 'panic') return headOf(thrown);
  const own = frames.find((frame) => frame.in_app) ?? frames[0];
  return `thread 'main' panicked at ${own === undefined ? '?' : placeOf(own)}:\n${value ?? ''}`;
}

const rust: Form = {
  frame: (frame, index) => {
    const at = fileOf(frame) === '' ? '' : `\n             at ${placeOf(frame)}`;
    return `${String(index).padStart(4)}: ${nameOf(frame, '<unknown>')}${at}`;
  },
  whole: (thrown, form) =>
    thrown.map((one) => [rustHead(one), 'stack backtrace:', ...framesOf(one, form)].join('\n')).join('\nCaused by: '),
};

const csharp: Form = {
  frame: (frame) => {
    const line = frame.lineno === null ? '' : `:line ${frame.lineno}`;
    const file = frame.abs_path || frame.filename || '';
    return `   at ${called(qualified(frame, 'csharp'), '()')}${file === '' ? '' : ` in ${file}${line}`}`;
  },
  whole: ([first, ...inner], form): string => {
    if (first === undefined) return '';
    const within =
      inner.length === 0 ? [] : [` ---> ${csharp.whole(inner, form)}`, '   --- End of inner exception stack trace ---'];
    return [fullHeadOf(first), ...within, ...framesOf(first, form)].join('\n');
  },
};

const FORMS: Readonly<Record<Language, Form>> = {
  python,
  java,
  javascript,
  go,
  ruby,
  php,
  rust,
  csharp,
  other: javascript,
};

/** Formats all exceptions in the form of their language, so that editors and other tools understand it. */
export function rawStack(thrown: readonly Thrown[], platform: string): string {
  const frames = thrown.flatMap((one) => one.frames);
  const form = platform === 'node' ? node : FORMS[stackLanguage(frames, platform)];
  return form.whole(thrown, form);
}

/** Formats one frame in the form of its language. */
export function frameText(frame: Frame, platform: string): string {
  return FORMS[stackLanguage([frame], frame.platform ?? platform)].frame(frame, 0).trim();
}
