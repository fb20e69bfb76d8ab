import type { ExternalId } from '../../../domain/imports/import.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { countOf, filledText } from '../../../thirdparty/map/values.ts';
import type { RemoteIssue } from '../../tracker-reader.ts';
import { clampedTime, lineText, longText, MAX_NAME } from '../remote/remote-values.ts';

const ID = /^[\w-]{1,64}$/;

/** Reads an issue of Bugsink; null without a usable id. Times later than `at` (milliseconds) become it. */
export function bugsinkIssue(row: unknown, baseUrl: string, at: number): RemoteIssue | null {
  const id = isRecord(row) ? (filledText(row.id) ?? '') : '';
  if (!isRecord(row) || !ID.test(id)) return null;
  const names: ExternalId[] = [{ kind: 'issue', value: id }];
  const friendly = lineText(row.friendly_id, 200);
  if (friendly !== null) names.push({ kind: 'short_id', value: friendly });
  const [type, message] = [lineText(row.calculated_type, MAX_NAME), longText(row.calculated_value)];
  const times = [row.first_seen, row.last_seen].map((time) => clampedTime(time, at)).filter((time) => time !== null);
  const inNext = row.is_resolved_by_next_release === true;
  const status = row.is_resolved === true || inNext ? 'resolved' : row.is_muted === true ? 'ignored' : 'unresolved';
  return {
    id,
    externalIds: names,
    url: `${baseUrl}/issues/issue/${encodeURIComponent(id)}/event/last/`,
    type,
    title: lineText([type, message].filter((part) => part !== null).join(': ')) ?? '<no title>',
    message,
    culprit: lineText(row.transaction),
    level: null,
    platform: null,
    projectPlatform: null,
    firstSeen: times.length === 0 ? at : Math.min(...times),
    lastSeen: times.length === 0 ? at : Math.max(...times),
    firstRelease: null,
    lastRelease: null,
    status: { status, changedAt: null, details: inNext ? '{"inNextRelease":true}' : null },
    skipped: null,
    assignee: null,
    count: countOf(row.digested_event_count),
    users: null,
    hours: [],
    days: [],
    commentCount: 0,
    reportCount: 0,
    isWhole: true,
  };
}
