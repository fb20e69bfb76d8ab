/** Paths of groups and projects. They compare without case; their letters are ASCII. */

/** Returns the paths of the groups that a project or a group is in, the outermost first, in lower case. */
export function groupPathsOf(path: string): string[] {
  const parts = path.toLowerCase().split('/').slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, at + 1).join('/'));
}

/** Returns the paths whose roles hold at a path: its own and those of the groups that it is in, in lower case. */
export function rolePathsOf(path: string): string[] {
  return [...groupPathsOf(path), path.toLowerCase()];
}

/** Returns the path of the group that directly has a project or a group; null: none. */
export function groupOfPath(path: string): string | null {
  const at = path.lastIndexOf('/');
  return at === -1 ? null : path.slice(0, at);
}

/** Returns the last part of a path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True when a path is in a group, at any depth. A group is not in itself. */
export function isBelow(path: string, group: string): boolean {
  return path.toLowerCase().startsWith(`${group.toLowerCase()}/`);
}

export function isSamePath(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Returns the path of what is in a group after the group moved from one path to another. */
export function pathAfterMove(path: string, from: string, to: string): string {
  return `${to}${path.slice(from.length)}`;
}
