import type { ErrorDetail } from '../../api/errors-api.ts';
import { newHint, UNKNOWN_SINCE, unmutedHint, unmutedText } from '../../lib/mark-texts.ts';
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
export function headingMarks(error: Pick<ErrorDetail, 'marks' | 'integrated'>, now = Date.now()): MarkText[] {
  const { marks } = error;
  if (marks === null) return [];
  const texts: MarkText[] = [];
  const { regressed, escalating, unmuted } = marks;
  if (marks.new) texts.push({ text: 'New', tone: 'info', hint: newHint(error) });
  if (regressed !== null) {
    const { at, release } = regressed;
    const since = at === null ? '' : ` ${relativeTime(Date.parse(at), now)}`;
    const where = release === null ? '' : ` in ${visibleExcerpt(release, MAX_RELEASE)}`;
    const hint =
      at === null ? `It came back after it was resolved. ${UNKNOWN_SINCE}` : 'It came back after it was resolved';
    texts.push({ text: `Regressed${since}${where}`, tone: 'warning', hint });
  }
  if (escalating !== null) {
    const { at, cause } = escalating;
    texts.push(
      at === null
        ? { text: 'Escalating', tone: 'danger', hint: `It happens more often than before. ${UNKNOWN_SINCE}` }
        : {
            text: `Escalating: ${factText({ fact: 'escalated', cause })}`,
            tone: 'danger',
            hint: `Since ${new Date(at).toLocaleString()}`,
          },
    );
  }
  if (unmuted !== null) texts.push({ text: unmutedText(unmuted), tone: 'warning', hint: unmutedHint(unmuted) });
  if (marks.unhandled === true) {
    texts.push({ text: 'Unhandled', tone: '', hint: 'The program did not handle its first event' });
  }
  return texts;
}
