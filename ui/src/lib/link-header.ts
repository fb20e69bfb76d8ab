export interface Cursors {
  /** Null when there is no such page. */
  readonly previous: string | null;
  readonly next: string | null;
}

function cursorFor(header: string, relation: string): string | null {
  for (const [, address = '', rel] of header.matchAll(/<([^>]*)>;\s*rel="([^"]*)"/g)) {
    if (rel === relation) return new URLSearchParams(address.split('?').at(1) ?? '').get('cursor');
  }
  return null;
}

/** Reads the cursors of the neighbouring pages from a `Link` header. */
export function cursorsOf(header: string | null): Cursors {
  return { previous: cursorFor(header ?? '', 'prev'), next: cursorFor(header ?? '', 'next') };
}
