import { isRecord } from '../../lib/own-property.ts';
import { parseTolerantJson } from '../../lib/json/json-tolerant.ts';
import { categoryOf } from '../intake/read/item-category.ts';
import type { JournalRecord, KeptItem } from '../intake/journal-record.ts';
import type { DigestDeps } from './digest-deps.ts';
import type { DigestedItem, ItemOutcome } from './digested-record.ts';
import { digestReport } from './items/report.ts';
import { digestSession } from './items/session.ts';

/** Converts a stored item to the form of the store. Pure, like the digest of events. */
export function digestItem(deps: DigestDeps, record: JournalRecord, item: KeptItem): DigestedItem {
  const raw = parse(record.body);
  if (!isRecord(raw)) {
    return refused(item, 'invalid', 'invalid_json');
  }
  const made =
    item === 'session' || item === 'sessions'
      ? digestSession(deps.userSalt, record, item, raw)
      : digestReport(deps, record, item, raw);
  return typeof made === 'string' ? refused(item, made === 'no_event' ? 'filtered' : 'invalid', made) : made;
}

function refused(item: KeptItem, outcome: ItemOutcome['outcome'], reason: string): DigestedItem {
  return { outcome: { category: categoryOf(item), outcome, reason, quantity: 1 } };
}

/** Parses JSON; undefined when it is none. */
function parse(body: Uint8Array): unknown {
  try {
    return parseTolerantJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}
