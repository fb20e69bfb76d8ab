const THOUSANDS = '\\d{1,3}(?:[,_]\\d{3}){1,6}';
const FRACTION = '(?:\\.\\d{1,20})?';
/** Start of a number. A minus sign belongs to it unless it joins words: `-5`, but `item-5`. */
const NUMBER_START = '(?:(?<![\\w)\\]-])-)?(?<!\\w)';
const END = '(?![A-Za-z0-9])';

/**
 * Amount of memory or disk with its unit. Programs change the unit with the amount, so it does not tell errors apart.
 */
export const SIZE =
  `${NUMBER_START}(?:${THOUSANDS}|\\d{1,20})${FRACTION}` +
  '(?: ?(?:[bB]ytes?|[kKMGTPE]i?[bB]|[kK]ilobytes?|[mM]egabytes?|[gG]igabytes?)| B|B|[KMGT]i?)(?!\\w)';

const UNIT =
  '(?:ns|us|[µμ]s|ms|nanos(?:econds?)?|micros(?:econds?)?|millis(?:econds?)?|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|s|m|h)';

/** Duration: `2m0s`, `1.5s`, `300 ms` and `3 days, 2:10:00` are one kind, as all sizes are. */
export const DURATION =
  `(?<!\\w)(?:\\d{1,6}d(?=\\d))?(?:\\d{1,10}${FRACTION}${UNIT} ?(?=\\d|\\W|$)){1,4}(?<! )(?!\\w)` +
  `|(?<!\\w)\\d{1,6} days?(?:, | )(?:\\d{1,2}:[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?)(?!\\w)` +
  `|(?<!\\w)\\d{1,10}${FRACTION} (?:ns|us|[µμ]s|ms|s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|milliseconds?|microseconds?|nanoseconds?)(?!\\w)` +
  '|(?<!\\w)P(?:\\d{1,6}[YMWD]){0,4}T?(?:\\d{1,9}(?:\\.\\d{1,9})?[HMS]){1,3}(?!\\w)';

/** Excludes the numbers of vendors' error codes, which are no quantities. */
const CODE = '(?<!(?:\\b(?:ORA|PLS|TNS)-|SQLSTATE[ :=]?\\[?|React error #))';

/**
 * Number of any form: one program prints 3, 3.5 and 1e3 for the same quantity, or groups digits with commas. Matches
 * behind `_` too, as in `order_17`, unless both form the name of a format or code.
 */
export const NUMBER =
  `${NUMBER_START}${CODE}(?:${THOUSANDS}|\\d{1,20})(?:\\.\\d{1,20})?(?:[eE][+-]?\\d{1,4})?(?:(?!\\w)|(?=(?:st|nd|rd|th)(?!\\w)))` +
  `|(?<!\\w)\\d{1,6}x\\d{1,6}(?:x\\d{1,6})?(?!\\w)` +
  `|(?<=[A-Za-z]_)(?<!(?:sha|utf|int|float|md|latin|err|http)_)\\d{1,20}${END}`;

/** Version, as `1.2.3` or `v2.10.0-rc.1`; IPv4 addresses match first. */
export const VERSION =
  '(?<![\\w.])v?\\d{1,6}(?:\\.\\d{1,9}){2,3}(?:[-+][A-Za-z0-9][\\w.+-]{0,64}(?<!\\.))?(?![\\w])(?!\\.\\d)';
