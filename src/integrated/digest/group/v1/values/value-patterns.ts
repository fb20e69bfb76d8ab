/**
 * Words before a quoted name of code: `reading 'name'`, `column "x"`, `No module named 'y'`. Such names tell errors
 * apart; other quoted text is input or a looked-up value.
 */
export const NOUNS =
  '(?:reading|property|properties|attribute|method|function|procedure|trigger|module|package|named|class|interface|constant|identifier|symbol|' +
  'column|table|relation|constraint|index|view|schema|sequence|extension|operator|field|import|export|resolve|component|directive|provider|hook|' +
  'read|call|access|evaluating|invoke|because|execute|type|variable|argument|parameter|keyword|exchange|plugin|library|instance of|for key)';
const IDENTIFIER = '[A-Za-z_$@#.][\\w.$#:\\\\/@()<>\\[\\]-]{0,120}';

/** Excludes a name of code, and a text that is only a quotation, as the values of many exceptions are. */
const NOT_A_NAME =
  `(?!(?<=(?:\\b${NOUNS}|\\(setting):? )(?:"${IDENTIFIER}"|'${IDENTIFIER}'|\`${IDENTIFIER}[\`']))` +
  `(?!(?<![^])["'\`][^"'\`\\n]{0,1024}["'\`](?![^]))`;

/** Text in any quotation marks; an apostrophe has a letter before or behind it. */
export const QUOTED =
  `(?<![\\w)\\]'"])${NOT_A_NAME}(?:[bu]?"(?:[^"\\\\\\n]|\\\\.){0,1024}"|[bu]?'(?:[^'\\\\\\n]|\\\\.){0,1024}'(?![A-Za-z0-9])` +
  `|\`[^\`'\\n]{1,256}[\`'](?![A-Za-z0-9])|[“„«‹‘][^“”„«»‹›‘’\\n]{0,256}[“”»›’])`;

/** Keys whose values name the error and stay: `error=timeout`. */
const ERROR_KEYS =
  '(?:err|error|reason|code|status|msg|message|type|event|level|op|action|method|kind|cause|state|exception|result|phase|stage)';

export const BOOLEAN = '(?<==)(?:[tT]rue|[fF]alse|TRUE|FALSE)(?!\\w)';

/** Bare word behind `key=`, as in logs of key and value. */
export const BARE_VALUE = `(?<=\\w=)(?<!\\b${ERROR_KEYS}=)[A-Za-z_][^\\s,;&|"'\`()<>[\\]{}=]{0,256}(?<![.:!?])(?=[\\s,;&|)>\\]}.:!?]|$)`;
