/** Messages about the fields of a new project's path; empty for valid fields. */
export interface PathProblems {
  readonly group: string;
  readonly path: string;
}

/** Message about the path of another project. */
export const PATH_TAKEN = 'A project with this path already exists. Enter another path.';

/** Pattern of one segment of a full path; the service has the same. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

const RULE = 'Use letters, digits, "_", "." and "-", and start with a letter, a digit or "_".';

/** Derives a path from a name as the service does, but turns `é` into `e`. Empty when no character remains. */
export function pathOfName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

export function pathProblems(group: string, path: string): PathProblems {
  return { group: groupProblem(group), path: pathProblem(path) };
}

function groupProblem(group: string): string {
  if (group === '') return 'Enter a group, such as a team or a product.';
  return group.split('/').every((part) => SEGMENT.test(part)) ? '' : `${RULE} Separate subgroups by "/".`;
}

function pathProblem(path: string): string {
  if (path === '') return 'Enter a path: none could be made from the name.';
  if (path.includes('/')) return 'Enter the groups in the field above; the path is the last part only.';
  return SEGMENT.test(path) ? '' : RULE;
}

/** Splits a full path into its group and its last part. */
export function splitPath(full: string): { group: string; path: string } {
  const at = full.lastIndexOf('/');
  return { group: full.slice(0, Math.max(at, 0)), path: full.slice(at + 1) };
}
