const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?';
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const CLOCK = '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?';
const HALF_DAY = '(?: ?[AaPp]\\.?[Mm]\\b)';
/** Names of time zones only, because the level of a log line often follows its time. */
const ZONE =
  '(?:GMT[+-]\\d{4}|(?:UTC|GMT|Z|WET|WEST|BST|CET|CEST|EET|EEST|MSK|IST|SGT|HKT|JST|KST|AEST|AEDT|NZST|NZDT|[ECMP][SD]T|AK[SD]T|HST)\\b|' +
  '[+-]\\d{2}:?\\d{2}\\b)';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const END = '(?![A-Za-z0-9])';

/**
 * Dates and times of day as logs and languages write them, longest form first. Every repetition is bounded. A bare
 * `h:mm` is matched as integers: it looks like the line and column in a parser's message.
 */
export const DATE = [
  // datetime.datetime(2024, 1, 2, 3, 4, tzinfo=datetime.timezone(datetime.timedelta(seconds=3600)))
  'datetime\\.(?:datetime|date|time|timedelta)\\((?:[^()\\n]|\\((?:[^()\\n]|\\([^()\\n]{0,80}\\)){0,80}\\)){0,200}\\)',
  // 2024-01-02_03-04-05
  `\\d{4}-(?:0[1-9]|1[0-2])-${DAY}[-_T][0-2]\\d[-.][0-5]\\d[-.][0-5]\\d${END}`,
  // 2024-01-02T03:04:05.678+01:00, 2024-01-02 03:04:05,678, 2024-01-02 03:04:05.6 +0000 UTC m=+0.1,
  // 2024/01/02 03:04:05, 2024-01-02
  `\\d{4}[-/](?:0[1-9]|1[0-2])[-/]${DAY}(?:(?:T| {1,2})${CLOCK}(?: ?${ZONE})?(?: (?:UTC|[+-]\\d{4}))?(?: m=[+-]\\d{1,12}\\.\\d{1,12})?(?:\\[[\\w/+-]{1,40}\\])?)?${END}`,
  // 20240102T030405Z, 20240102-030405
  `\\d{8}T\\d{6}(?:\\.\\d{1,9})?Z?${END}|(?:19|20)\\d{6}[-_]\\d{6}${END}`,
  // 02.01.2024 03:04, 1/2/2024 3:04:05 PM, 2024.01.02
  `(?:${DAY}\\.(?:0?[1-9]|1[0-2])\\.|(?:${DAY}/(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/${DAY})/)(?:19|20)\\d{2}(?:,? ${CLOCK}${HALF_DAY}?(?: ?${ZONE})?)?${END}`,
  `(?:19|20)\\d{2}\\.(?:0[1-9]|1[0-2])\\.${DAY}(?: ${CLOCK})?${END}`,
  // Mon, 02 Jan 2006 15:04:05 GMT; Monday, 02-Jan-06 15:04:05 MST; 02/Jan/2006:15:04:05 +0000; 2 January 2006
  `(?:${WEEKDAY},? )?${DAY}[ /-]${MONTH}[ /-]\\d{2,4}${END}(?:(?:,? |:)${CLOCK}${HALF_DAY}?(?: ${ZONE})?)?`,
  // Mon Jan  2 15:04:05 MST 2006; Wed Nov 20 2026 12:00:00 GMT+0100 (CET); Jan 2, 2006 3:04:05 PM; Jan  2 15:04:05
  `(?:${WEEKDAY},? )?${MONTH} {1,2}${DAY},? (?:${CLOCK}(?: ${ZONE})?(?: \\d{4})?|\\d{4}(?:,? ${CLOCK}${HALF_DAY}?(?: ${ZONE})?(?: \\([A-Za-z ]{1,40}\\))?)?)${END}`,
  // 15:04:05.678, 3:04:05 PM
  `(?<![\\w:.])(?:[01]?\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:[.,]\\d{1,9})?${HALF_DAY}?(?: ?(?:Z\\b|UTC\\b|GMT\\b|[+-]\\d{2}:?\\d{2}\\b))?(?![\\w:])`,
  // 3:04PM
  `(?<![\\w:.])(?:[01]?\\d|2[0-3]):[0-5]\\d${HALF_DAY}`,
].join('|');
