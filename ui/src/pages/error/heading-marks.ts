import type { ErrorDetail } from '../../api/errors-api.ts';
import { relativeTime } from '../../lib/relative-time.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';
import { factText } from './fact-text.ts';

export interface MarkText {
  readonly text: string;
  /** Class of the badge. */
  readonly tone: '' | 'danger' | 'warning' | 'info';
  /** More about it, as a tooltip. */
  readonly hint: string;
}

/** Characters of a release. */
const MAX_RELEASE = 64;

/** Marks of an error in words: `New`, `Regressed 12 min ago in storefront@2.33.0`. */
export function headingMarks({ marks }: Pick<ErrorDetail, 'marks'>, now = Date.now()): MarkText[] {
  if (marks === null) return [];
  const texts: MarkText[] = [];
  const { regressed, escalating } = marks;
  if (marks.new) texts.push({ text: 'New', tone: 'info', hint: 'First seen within the last 24 hours' });
  if (regressed !== null) {
    const release = regressed.release === null ? '' : ` in ${visibleExcerpt(regressed.release, MAX_RELEASE)}`;
    const text = `Regressed ${relativeTime(Date.parse(regressed.at), now)}${release}`;
    texts.push({ text, tone: 'warning', hint: 'It came back after it was resolved' });
  }
  if (escalating !== null) {
    const hint = factText({ fact: 'escalated', cause: escalating.cause });
    texts.push({
      text: `Escalating: ${hint}`,
      tone: 'danger',
      hint: `Since ${new Date(escalating.at).toLocaleString()}`,
    });
  }
  if (marks.unhandled === true) {
    texts.push({ text: 'Unhandled', tone: 'danger', hint: 'The program did not handle its first event' });
  }
  return texts;
}
