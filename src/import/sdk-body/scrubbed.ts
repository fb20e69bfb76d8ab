import { isRecord } from '../../lib/own-property.ts';
import { listOf } from '../../thirdparty/map/values.ts';

/** Placeholders of trackers for values that they removed. */
const PLACEHOLDER = /\[(?:Filtered|Removed|Scrubbed|email|ip|creditcard|iban|ssn|mac|imei|uuid|url-auth|user)\]/i;

const texts = (body: Record<string, unknown>): unknown[] => {
  const exception = body.exception;
  const values = isRecord(exception) ? listOf(exception.values) : [];
  const entry = isRecord(body.logentry) ? body.logentry : {};
  return [
    body.message,
    entry.message,
    entry.formatted,
    ...values.flatMap((value) => (isRecord(value) ? [value.type, value.value] : [])),
  ];
};

/** Remarks of the scrubber below one member of `_meta`, except for variables of frames, which are in no group key. */
function hasRemarks(meta: unknown, depth = 0): boolean {
  if (!isRecord(meta) || depth > 12) return false;
  return Object.entries(meta).some(([name, member]) => {
    if (name === 'vars') return false;
    if (name !== '') return hasRemarks(member, depth + 1);
    const remarks = isRecord(member) ? listOf(member.rem) : [];
    // Rules of limits begin with "!".
    return remarks.some(
      (remark) => typeof listOf(remark)[0] === 'string' && !String(listOf(remark)[0]).startsWith('!'),
    );
  });
}

/** Returns true when the tracker's scrubber changed texts of which a group key may be made. */
export function wasScrubbed(body: Record<string, unknown>, meta: unknown): boolean {
  if (texts(body).some((text) => typeof text === 'string' && PLACEHOLDER.test(text))) return true;
  return isRecord(meta) && ['exception', 'logentry', 'message', 'threads'].some((name) => hasRemarks(meta[name]));
}
