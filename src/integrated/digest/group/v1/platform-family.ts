/** Platforms with the same naming habits share one set of rules. */
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

/** Returns the family of a platform; `other` for an unknown one, which has no rules. */
export function platformFamily(platform: string): PlatformFamily {
  return FAMILIES.get(platform) ?? 'other';
}

/**
 * Returns true for families whose SDKs send source lines that identify a call site. For others source lines do not
 * count.
 */
export function groupsByContextLine(family: PlatformFamily): boolean {
  return family === 'javascript' || family === 'python' || family === 'php' || family === 'ruby';
}
