/** Platforms whose names follow the same habits share one set of rules. */
export type PlatformFamily = 'javascript' | 'python' | 'ruby' | 'php' | 'java' | 'go' | 'native' | 'csharp' | 'other';

const FAMILIES: ReadonlyMap<string, PlatformFamily> = new Map([
  ['javascript', 'javascript'],
  ['node', 'javascript'],
  ['bun', 'javascript'],
  ['deno', 'javascript'],
  ['python', 'python'],
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['java', 'java'],
  ['kotlin', 'java'],
  ['scala', 'java'],
  ['groovy', 'java'],
  ['go', 'go'],
  ['native', 'native'],
  ['rust', 'native'],
  ['c', 'native'],
  ['cocoa', 'native'],
  ['objc', 'native'],
  ['swift', 'native'],
  ['csharp', 'csharp'],
]);

/** A platform that is not known has no rules of its own: `other`. */
export function platformFamily(platform: string): PlatformFamily {
  return FAMILIES.get(platform) ?? 'other';
}

/** Families whose SDKs send source lines that identify a call site; elsewhere a source line is not grouped by. */
export function groupsByContextLine(family: PlatformFamily): boolean {
  return family === 'javascript' || family === 'python' || family === 'php' || family === 'ruby';
}
