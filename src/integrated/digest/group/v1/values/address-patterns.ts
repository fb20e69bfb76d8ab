const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const PIECE = '[0-9A-Fa-f]{1,4}';
const PIECES = `${PIECE}(?::${PIECE}){0,6}`;

/** Port behind a host; like the host, it does not tell errors apart. A line and column, as `:12:5`, do not match. */
export const PORT = ':\\d{1,5}(?![\\w:])';

/** Schemes of the web, and of the stores and queues that services name in their messages. */
const SCHEME =
  '(?:wss?|https?|s?ftps?|rediss?|amqps?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|mssql|sqlserver|kafka|nats|mqtts?|' +
  's3|gs|wasbs?|abfss?|hdfs|file|tcp|udp|ldaps?|smtps?|imaps?|ssh|grpcs?|rtmps?|rtsp|jdbc:\\w{1,32}(?::\\w{1,32})?)';

/** Address up to the next blank, quote or angle bracket, without punctuation that ends a sentence or bracket. */
export const URL = `(?<!\\w)${SCHEME}://[^\\s"'<>\`]{0,2047}[^\\s"'<>\`.,;:!?)\\]}]`;

export const EMAIL =
  "(?<![\\w.%+@-])[A-Za-z0-9\u00c0-\u024f._%+-]{1,64}(?:'[A-Za-z0-9._%+-]{1,64})?@(?:[A-Za-z0-9\u00c0-\u024f-]{1,63}\\.){1,8}[A-Za-z]{2,24}";

/** Hardware address of a network card. */
export const MAC = '(?<![\\w:.-])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\\w:-])';

/**
 * IPv4, and IPv6 in full, compressed and with an embedded IPv4, each with its port. `10.0.0.1:80`, `[::1]:80` and
 * `::1:80`, as some runtimes write it, are one kind. A compressed one needs a digit, or `Face::Bad` would match.
 */
const IPV6 =
  `(?:(?:${PIECES})?::(?:[fF]{4}:(?:0{1,4}:)?)?${IPV4}(?!\\w|\\.\\d)` +
  `|(?:${PIECE}:){7}${PIECE}(?![\\w:])` +
  `|(?=[A-Fa-f:]{0,40}\\d)(?:${PIECES})?::(?:${PIECES})?(?:%[A-Za-z0-9]{1,16})?(?![\\w:]))`;

export const IP =
  `(?<![\\w.@-])localhost(?![\\w.-])(?:${PORT})?|(?<![\\w.])${IPV4}(?:${PORT}|(?!\\w|\\.\\d))` +
  `|\\[${IPV6}\\](?:${PORT})?` +
  `|(?<![\\w:.])${IPV6}(?:(?<=\\.\\d{1,3})${PORT})?`;
