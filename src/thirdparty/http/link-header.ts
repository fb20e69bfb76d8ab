/** Cursors of adjacent pages; null for none. */
export interface PageCursors {
  readonly previous: string | null;
  readonly next: string | null;
}

const MAX_CURSOR_CHARACTERS = 500;
const ENTRY = /<([^<>]*)>((?:\s*;\s*[a-z]+="[^"]*")+)/gi;
const ATTRIBUTE = /([a-z]+)="([^"]*)"/gi;

function cursorOf(address: string, attributes: ReadonlyMap<string, string>): string | null {
  // The address is always decoded; some trackers percent-encode the attribute.
  const inAddress = URL.canParse(address, 'http://relative/')
    ? new URL(address, 'http://relative/').searchParams.get('cursor')
    : null;
  const cursor = inAddress ?? attributes.get('cursor') ?? '';
  return cursor === '' || cursor.length > MAX_CURSOR_CHARACTERS ? null : cursor;
}

/**
 * Parses `Link` in all forms of trackers: absolute or relative addresses, no cursor attribute, or a printed set. The
 * addresses are never requested. Only `results="true"` is a page.
 */
export function parseLinkHeader(header: string | null): PageCursors {
  const cursors = new Map<string, string | null>();
  for (const [, address = '', rest = ''] of (header ?? '').matchAll(ENTRY)) {
    const attributes = new Map(
      [...rest.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name.toLowerCase(), value] as const),
    );
    if (attributes.get('results') === 'false') continue;
    cursors.set(attributes.get('rel') ?? '', cursorOf(address, attributes));
  }
  return { previous: cursors.get('previous') ?? cursors.get('prev') ?? null, next: cursors.get('next') ?? null };
}
