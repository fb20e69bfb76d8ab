const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const PIECE = '[0-9A-Fa-f]{1,4}';
const PIECES = `${PIECE}(?::${PIECE}){0,6}`;

/** Schemes of the web, and of the stores and queues that services name in their messages. */
const SCHEME =
  '(?:wss?|https?|s?ftps?|rediss?|amqps?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|kafka|nats|s3|gs|jdbc:\\w{1,32}(?::\\w{1,32})?)';

/** Up to the next blank, quote or angle bracket; punctuation that ends a sentence or bracket is not part of it. */
export const URL = `(?<!\\w)${SCHEME}://[^\\s"'<>\`]{0,2047}[^\\s"'<>\`.,;:!?)\\]}]`;

/**
 * The folder of a file on a disk, up to the file's name, which stays: folders differ by machine, files tell
 * errors apart. Only under the roots of operating systems, or behind a drive letter: other paths are routes.
 */
export const FOLDER =
  '(?<![\\w/.~-])(?<!(?:GET|PUT|POST|HEAD|PATCH|DELETE|OPTIONS) )' +
  '(?:/(?:var|tmp|home|usr|opt|srv|etc|mnt|root|run|private|Users|Volumes|data|sdcard|storage)/|[A-Za-z]:[\\\\/])' +
  '(?:[^\\s/\\\\"\'<>|:*?]{1,255}[\\\\/]){0,40}(?=[\\w.])';

export const EMAIL = '(?<![\\w.%+@-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\\.){1,8}[A-Za-z]{2,24}';

/** The address of a network card. */
export const MAC = '(?<![\\w:.-])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\\w:-])';

/**
 * IPv4, and IPv6 in full, compressed and with an embedded IPv4. A compressed one needs a figure, or
 * `Face::Bad` would be one.
 */
export const IP =
  `(?<![\\w.])${IPV4}(?!\\w|\\.\\d)` +
  `|(?<![\\w:.])(?:(?:${PIECES})?::(?:[fF]{4}:(?:0{1,4}:)?)?${IPV4}(?!\\w|\\.\\d)` +
  `|(?:${PIECE}:){7}${PIECE}(?![\\w:])` +
  `|(?=[A-Fa-f:]{0,40}\\d)(?:${PIECES})?::(?:${PIECES})?(?:%[A-Za-z0-9]{1,16})?(?![\\w:]))`;
