/** Escapes a full path for addresses; its slashes stay. */
export function projectAddress(project: string): string {
  return `/${project.split('/').map(encodeURIComponent).join('/')}`;
}
