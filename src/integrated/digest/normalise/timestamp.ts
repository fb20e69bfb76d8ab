/** Date-times of RFC 3339 and its relatives: blank for T, no seconds, any fraction, no zone, no time. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?\s?(?:[Zz]|UTC|([+-])(\d\d):?(\d\d)?)?$/;

/** 0001-01-01 and 9999-12-31 in milliseconds since the epoch: what RFC 3339 can write. */
const MIN = -62_135_596_800_000;
const MAX = 253_402_300_799_999;

/**
 * Milliseconds since the epoch of a client's timestamp: seconds as number or text, or a date-time, which
 * is UTC when it names no zone. Null for anything else and for years beyond 1 to 9999.
 */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value === 'number') {
    return inRange(Math.round(value * 1000));
  }
  if (typeof value !== 'string' || value.length > 64) {
    return null;
  }
  const text = value.trim();
  const match = ISO.exec(text);
  if (match !== null) {
    return inRange(fromParts(match));
  }
  return /^\d+(\.\d*)?$/.test(text) ? inRange(Math.round(Number(text) * 1000)) : null;
}

function fromParts(parts: RegExpExecArray): number {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', sign, zoneHour, zoneMinute] =
    parts;
  if (Number(year) < 100 || Number(month) > 12 || Number(day) > 31 || Number(hour) > 24) {
    return Number.NaN;
  }
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const ahead = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000;
  return sign === '-' ? utc + ahead : utc - ahead;
}

function inRange(at: number): number | null {
  return at >= MIN && at <= MAX ? at + 0 : null;
}

/** RFC 3339, UTC, milliseconds. `at` must lie within the years 1 to 9999. */
export function formatTimestamp(at: number): string {
  return new Date(at).toISOString();
}
