/** Stack frame as both backends send it; the API document leaves its members open. */
export interface Frame {
  readonly filename: string | null;
  readonly abs_path: string | null;
  readonly module: string | null;
  readonly package?: string | null;
  readonly function: string | null;
  readonly lineno: number | null;
  readonly colno: number | null;
  readonly in_app: boolean;
  readonly platform?: string | null;
  readonly context_line: string | null;
  readonly pre_context: readonly string[];
  readonly post_context: readonly string[];
  readonly vars: Readonly<Record<string, unknown>> | null;
  /** Whether some variables were cut or dropped before storage. */
  readonly varsCut: boolean;
  /** Place in the build that the SDK sent, where the frame shows its original one. */
  readonly sent?: SentPlace | null;
  /** Why the original place is not shown, as a sentence without a period. */
  readonly unmapped?: string | null;
}

/** Place of a frame as the SDK sent it. */
export interface SentPlace {
  readonly function: string | null;
  readonly module: string | null;
  readonly file: string | null;
  readonly lineno: number | null;
  readonly colno: number | null;
}

/** Calls of an exception or a thread. */
export interface Stack {
  /** Innermost call first. */
  readonly frames: readonly Frame[];
  /** Parts dropped from the whole stack, as texts of the notes. */
  readonly omitted: readonly string[];
}

export interface ShownException extends Stack {
  readonly type: string | null;
  readonly value: string | null;
  readonly module: string | null;
  readonly handled: boolean | null;
  readonly mechanism: string | null;
  /** How it belongs to the exception that followed, such as `__context__` in Python. */
  readonly source: string | null;
}

export interface Breadcrumb {
  readonly timestamp: string | null;
  readonly type: string;
  readonly category: string | null;
  readonly level: string;
  readonly message: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface ShownThread extends Stack {
  readonly id: string | null;
  readonly name: string | null;
  readonly crashed: boolean;
}

/** Parts of an event that stack traces and breadcrumbs are built from. */
export interface EventParts {
  readonly exceptions: readonly unknown[];
  readonly threads: readonly unknown[];
  readonly breadcrumbs: readonly unknown[];
  /** Notes about cut or cleaned values, such as `exceptions[0].frames[3].vars: truncated`. */
  readonly notes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function frameOf(value: unknown, varsCut: boolean): Frame {
  const frame = asObject(value);
  const lines = (name: string) => asList(frame[name]).filter((line) => typeof line === 'string');
  return {
    filename: asText(frame.filename),
    abs_path: asText(frame.abs_path),
    module: asText(frame.module),
    package: asText(frame.package),
    function: asText(frame.function),
    lineno: asNumber(frame.lineno),
    colno: asNumber(frame.colno),
    in_app: frame.in_app === true,
    platform: asText(frame.platform),
    context_line: asText(frame.context_line),
    pre_context: lines('pre_context'),
    post_context: lines('post_context'),
    vars: typeof frame.vars === 'object' && frame.vars !== null ? asObject(frame.vars) : null,
    varsCut,
    sent: sentPlaceOf(frame.raw),
    unmapped: asText(frame.unmapped),
  };
}

function sentPlaceOf(value: unknown): SentPlace | null {
  if (typeof value !== 'object' || value === null) return null;
  const raw = asObject(value);
  return {
    function: asText(raw.function),
    module: asText(raw.module),
    file: asText(raw.abs_path) ?? asText(raw.filename),
    lineno: asNumber(raw.lineno),
    colno: asNumber(raw.colno),
  };
}

/** Builds a stack. `place`: prefix of its notes, such as `exceptions[0]`. */
function stackOf(value: unknown, place: string, notes: readonly string[]): Stack {
  const ofAll = `${place}.frames: `;
  return {
    frames: asList(value)
      .map((frame, index) => frameOf(frame, notes.includes(`${place}.frames[${index}].vars: truncated`)))
      .reverse(),
    omitted: notes
      .filter((note) => note.startsWith(ofAll))
      .map((note) => note.slice(ofAll.length).replace(/ omitted$/, '')),
  };
}

/** Exceptions of an event: the last one thrown first, then its causes. */
export function exceptionsOf({ exceptions, notes }: EventParts): ShownException[] {
  const shown = exceptions.map((value, index) => {
    const exception = asObject(value);
    const mechanism = asObject(exception.mechanism);
    return {
      type: asText(exception.type),
      value: asText(exception.value),
      module: asText(exception.module),
      handled: typeof mechanism.handled === 'boolean' ? mechanism.handled : null,
      mechanism: asText(mechanism.type),
      source: asText(mechanism.source),
      ...stackOf(exception.frames, `exceptions[${index}]`, notes),
    };
  });
  return shown.reverse();
}

/** Threads with a stack, the crashed one first. */
export function threadsOf({ threads, notes }: EventParts): ShownThread[] {
  return threads
    .map((value, index) => {
      const thread = asObject(value);
      return {
        id: asText(thread.id),
        name: asText(thread.name),
        crashed: thread.crashed === true,
        ...stackOf(thread.frames, `threads[${index}]`, notes),
      };
    })
    .filter(({ frames }) => frames.length > 0)
    .sort((a, b) => Number(b.crashed) - Number(a.crashed));
}

/** Breadcrumbs of an event, oldest first. */
export function breadcrumbsOf({ breadcrumbs }: EventParts): Breadcrumb[] {
  return breadcrumbs.map((value) => {
    const crumb = asObject(value);
    return {
      timestamp: asText(crumb.timestamp),
      type: asText(crumb.type) ?? 'default',
      category: asText(crumb.category),
      level: asText(crumb.level) ?? 'info',
      message: asText(crumb.message),
      data: typeof crumb.data === 'object' && crumb.data !== null ? asObject(crumb.data) : null,
    };
  });
}

export interface ContextLine {
  readonly number: number;
  readonly text: string;
  /** Whether this is the line of the call. */
  readonly current: boolean;
}

/** Source lines around the call; empty without source. */
export function contextOf({
  lineno,
  context_line: line,
  pre_context: before,
  post_context: after,
}: Frame): ContextLine[] {
  if (line === null) return [];
  const at = lineno ?? before.length + 1;
  return [...before, line, ...after].map((text, index) => ({
    number: at - before.length + index,
    text,
    current: index === before.length,
  }));
}

/** Languages of the highlighter by file extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  kt: 'java',
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  vue: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
};

const BY_PLATFORM: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
};

function known(table: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}

/** Language of a frame's source; null when unknown. */
export function languageOf(frame: Frame, platform: string): string | null {
  const file = frame.filename ?? frame.abs_path ?? '';
  const extension = /\.([a-z]+)(?:[?#].*)?$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  return known(BY_EXTENSION, extension) ?? known(BY_PLATFORM, frame.platform ?? platform);
}
