import type { Frame } from './event-view.ts';

/** Languages with a form of stack traces of their own. */
export type Language = 'python' | 'java' | 'javascript' | 'go' | 'ruby' | 'php' | 'rust' | 'csharp' | 'other';

const BY_PLATFORM: Readonly<Record<string, Language>> = {
  csharp: 'csharp',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
};

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  cs: 'csharp',
  go: 'go',
  java: 'java',
  kt: 'java',
  scala: 'java',
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  vue: 'javascript',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
};

function lookedUp(table: Readonly<Record<string, Language>>, name: string): Language | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Language of a stack: that of the platform, otherwise that of the first file with a known extension. */
export function stackLanguage(frames: readonly Pick<Frame, 'filename' | 'abs_path'>[], platform: string): Language {
  const known = lookedUp(BY_PLATFORM, platform);
  if (known !== undefined) return known;
  for (const { filename, abs_path: path } of frames) {
    const extension = /\.([a-z]+)(?:[?#].*)?$/i.exec(filename ?? path ?? '')?.[1]?.toLowerCase() ?? '';
    const found = lookedUp(BY_EXTENSION, extension);
    if (found !== undefined) return found;
  }
  return 'other';
}

/** Languages that name a function by its module, class or package: the file alone does not tell where it is. */
const QUALIFIED: ReadonlySet<Language> = new Set(['java', 'go', 'csharp']);

/**
 * Module, class or package before the name of a frame's function, with its dot: `com.acme.payments.CustomerClient.`.
 * Empty in other languages, and where the function has it already.
 */
export function qualifierOf(frame: Frame, platform: string): string {
  const { module, function: name } = frame;
  if (module === null || module === '' || !QUALIFIED.has(stackLanguage([frame], frame.platform ?? platform))) return '';
  return name?.startsWith(`${module}.`) === true ? '' : `${module}.`;
}

/** File of a frame, or the closest name that is known. */
export function fileOf({ filename, abs_path: path, module, package: image }: Frame): string {
  return [filename, path, module, image].find((name) => name !== null && name !== undefined && name !== '') ?? '';
}
