const ADDRESS = /^([a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i;

/** Returns the addresses under which the map of a script may have been uploaded, the most exact first. */
export function urlCandidates(path: string): string[] {
  const match = ADDRESS.exec(path);
  if (match === null) {
    const plain = path.replace(/[?#].*$/, '');
    return plain.startsWith('~')
      ? [plain]
      : [...new Set([path, plain, `~${plain.startsWith('/') ? '' : '/'}${plain}`])];
  }
  const [, host = '', file = '', query = ''] = match;
  return [...new Set([`${host}${file}${query}`, `${host}${file}`, `~${file}${query}`, `~${file}`])];
}
