import { visibleExcerpt } from '../../lib/visible-text.ts';

/** Maximum of names that the service lists; a list of this length may be incomplete. */
const MAX_LISTED = 100;
/** Maximum of suggested names for an unknown one. */
const MAX_SUGGESTED = 5;

/**
 * Explains that no event has this name, and lists known ones. Null for an empty or known name. `environment`: the one
 * whose releases are known; blank: all.
 */
export function unknownName(
  what: 'environment' | 'release',
  name: string,
  known: readonly string[],
  environment = '',
): string | null {
  if (name === '' || known.includes(name) || known.length >= MAX_LISTED) return null;
  const where = environment === '' ? '' : ` in “${visibleExcerpt(environment, 60)}”`;
  const said = `No event${where} has the ${what} “${visibleExcerpt(name, 60)}”.`;
  if (known.length === 0) return said;
  const more = known.length > MAX_SUGGESTED ? ` and ${known.length - MAX_SUGGESTED} more` : '';
  return `${said} Known: ${known
    .slice(0, MAX_SUGGESTED)
    .map((each) => visibleExcerpt(each, 40))
    .join(', ')}${more}.`;
}
