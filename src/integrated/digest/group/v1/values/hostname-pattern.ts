import { PORT } from './address-patterns.ts';

/** Endings that almost only hosts have. */
const TLDS =
  'com|net|org|edu|gov|mil|biz|mobi|eu|xyz|online|shop|club|cloud|tech|ai|tv|fm|gg|' +
  'de|uk|ca|au|nz|fr|it|es|pt|nl|be|lu|ch|li|se|dk|fi|ie|pl|cz|sk|hu|ro|bg|gr|si|hr|lt|lv|ee|ua|ru|kz|ge|us|' +
  'tr|il|ae|sa|ir|pk|bd|lk|cn|hk|tw|jp|kr|sg|th|vn|ph|br|ar|cl|mx|pe|ve|ec|uy|cr|za|ng|ke|eg|ma|' +
  'local|internal|lan|svc';

/** Endings that code uses as well (`java.io`, `console.info`, `list.at`): they need two labels before them. */
const TLDS_LIKE_CODE = 'io|app|dev|co|info|pro|site|store|at|in|no|my|by|int';

/** Endings that are mostly property names or file types: they count only below a registry's second level. */
const TLDS_MOSTLY_CODE = 'id|is|to|me|so|name|rs|md|py|sh|cc|ms|la|st';

const LABEL = '[\\w-]{1,63}\\.';

/**
 * Host names of two to nine labels with a common ending. The whole dotted name must match: `java.net.SocketException`
 * is a class.
 */
export const HOSTNAME =
  '(?<![\\w.@-])(?!(?:this|self|window|document|console|globalThis|process|module|exports|System|logger|log)\\.)' +
  `(?:(?:${LABEL}){1,8}(?:${TLDS}|${TLDS.toUpperCase()})` +
  `|(?:${LABEL}){2,8}(?:${TLDS_LIKE_CODE})` +
  `|(?:${LABEL}){1,7}(?:com?|net|org|ac|gov|edu)\\.(?:${TLDS_MOSTLY_CODE}|${TLDS_LIKE_CODE})` +
  `|www\\.(?:${LABEL}){1,6}[a-z]{2,24})(?![\\w-]|\\.\\w)(?:${PORT})?`;
