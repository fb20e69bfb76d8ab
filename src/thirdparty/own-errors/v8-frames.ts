import { fileURLToPath } from 'node:url';

/** Frame of a stack trace as the Sentry protocol has it. */
export interface StackFrame {
  readonly function: string;
  readonly filename: string;
  readonly lineno?: number;
  readonly colno?: number;
  readonly in_app: boolean;
}

/** Maximum frames of a stack trace, those nearest to the error; the SDKs send as many. */
const MAX_FRAMES = 50;
/** `at function (place)` or `at place`. */
const LINE = /^\s+at (?:async )?(?:(?<name>.{1,512}?) \((?<inner>[^()]{1,4096})\)|(?<bare>[^()]{1,4096}))$/;
const PLACE = /^(?<file>.+?):(?<line>\d+):(?<column>\d+)$/;
/** Folder below which an installed errgate has its own files. */
const INSTALLED = '/node_modules/errgate/';

function pathOf(file: string): string {
  try {
    return file.startsWith('file://') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}

/** True for files of errgate itself, neither of Node.js nor of a dependency. */
function isOwn(file: string): boolean {
  const below = file.replaceAll('\\', '/').split(INSTALLED).at(-1) ?? file;
  return !file.startsWith('node:') && file !== 'native' && !/(?:^|\/)node_modules\//.test(below);
}

function frameOf(line: string): StackFrame | null {
  const { name = '?', inner, bare } = LINE.exec(line)?.groups ?? {};
  const place = inner ?? bare;
  if (place === undefined) return null;
  const found = PLACE.exec(place)?.groups;
  const filename = pathOf(found?.['file'] ?? place);
  const at = found === undefined ? {} : { lineno: Number(found['line']), colno: Number(found['column']) };
  return {
    function: name.replace('.<anonymous>', '.?'),
    filename,
    ...at,
    in_app: isOwn(filename) && filename !== '<anonymous>',
  };
}

/** Parses the stack of an error of V8, as the protocol wants it: the oldest call first. The message is left out. */
export function framesOf({ message, stack = '' }: Error): StackFrame[] {
  // The head repeats the message, which may have lines that look like frames.
  const head = message === '' ? -1 : stack.indexOf(message);
  const lines = stack.slice(head === -1 ? 0 : head + message.length).split('\n');
  const frames: StackFrame[] = [];
  for (const line of lines) {
    const frame = frames.length < MAX_FRAMES ? frameOf(line) : null;
    if (frame !== null) frames.push(frame);
  }
  return frames.toReversed();
}
