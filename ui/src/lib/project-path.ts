/** A full path as it stands in addresses: slashes as they are, everything else escaped. */
export function projectAddress(project: string): string {
  return `/${project.split('/').map(encodeURIComponent).join('/')}`;
}
