/** Root folders and drive letters: a path below them is a file. Other paths are routes. */
const ROOT =
  '(?<![\\w/.~-])(?<!(?:GET|PUT|POST|HEAD|PATCH|DELETE|OPTIONS) )' +
  '(?:/(?:var|tmp|home|usr|opt|srv|etc|mnt|media|root|run|private|Users|Volumes|data|app|workspace|builds|nfs|sdcard|storage)/|[A-Za-z]:[\\\\/]|\\\\\\\\[\\w.-]{1,63}\\\\)';
const FOLDERS = '(?:[^\\s/\\\\"\'`<>|:*?]{1,255}[\\\\/]){0,40}';
const NAME = '[^\\s/\\\\"\'`<>|:*?,;()[\\]{}=]{1,255}';

/** Endings of data files of users and jobs; their names do not identify the error. */
const DATA =
  '(?:csv|tsv|xlsx?|ods|docx?|odt|pptx?|pdf|txt|log|rtf|json|jsonl|ndjson|xml|avro|parquet|orc|png|jpe?g|gif|webp|svg|bmp|' +
  'tiff?|heic|avif|mp[34]|m4[av]|wav|ogg|flac|mov|avi|mkv|webm|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|te?mp|bak|part|dump|dat|bin|' +
  'eml|ics|vcf|lock|swp)(?![\\w-])';
/** Endings of programs, code and configuration. */
const CODE =
  '(?:sock|pid|so|conf|cfg|ini|toml|ya?ml|env|[cm]?[jt]sx?|vue|py|rb|php|sh|go|rs|java|jar|exe|dll|pem|crt|key)';

/** Folders for files created at run time. */
const TEMPORARY = '/(?:private/)?(?:var/)?(?:tmp|folders)/|/proc/';

/**
 * Data file with its folder. Files of code, configuration and programs keep their names, which tell errors apart: only
 * their folder is variable.
 */
export const FILE =
  `${ROOT}${FOLDERS}${NAME}(?<=\\.${DATA})` +
  `|(?<![\\w/.~-])(?:${TEMPORARY})${FOLDERS}(?!${NAME}(?<=\\.${CODE}(?![\\w-])))${NAME}(?<![.!])`;

/** Folder of a file, up to the file's name, which stays. */
export const FOLDER = `${ROOT}${FOLDERS}(?=[\\w.])`;

/**
 * Path without a root, as in object stores: `exports/2024/11/north.csv`. Only an ending of data tells it from a route.
 * A name without a folder needs an ending that no configuration file has.
 */
export const RELATIVE_FILE =
  `(?<![\\w/.~@-])(?:[\\w.@+-]{1,100}/){1,16}[\\w.@+-]{1,200}(?<=\\.${DATA})` +
  `|(?<![\\w/.~@-])[\\w.+-]{1,200}(?<=\\.(?:csv|tsv|xlsx?|pdf|docx?|png|jpe?g|gif|webp|mp[34]|mov|wav|zip|gz|tgz|parquet|avro|eml)(?![\\w-]))`;
