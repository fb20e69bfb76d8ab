import type { Artifact } from '../../api/artifacts-api.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

/** Says which files of an upload cannot be mapped, and why. */
export function problemText({ reason, count, files }: Artifact['problems'][number]): string {
  const names = files.map((file) => visibleExcerpt(file, 100));
  const rest = count - names.length;
  const named = names.length === 0 ? counted(count, 'file') : names.join(', ');
  const more = names.length > 0 && rest > 0 ? ` and ${counted(rest, 'more file')}` : '';
  return `Not mapped: ${named}${more}: ${visibleExcerpt(reason, 300)}.`;
}
