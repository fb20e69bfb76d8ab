/** Start of a body: a bracket and a key, as `{"id":`, `{'id':`, `{id: `, `{:id=>`, `{id=`; in a record `[id=`. */
const BODY = /[{[]\s{0,40}(?:["'][^"'\n]{1,64}["']|:?[A-Za-z_][\w.-]{0,63})\s{0,4}(?:=>|[:=](?!:))/y;
/** List of bodies. */
const BODIES = /\[\s{0,40}(?=\{)/y;
/** Member of a body that names the error, if its value is a name: `"code": "card_declined"`. */
const NAMED_ERROR =
  /(?<![\w-])["']?(?:error|code|error_?code|error_?type|exception|errno)["']?\s?(?:=>|[:=])\s?:?["']?([A-Za-z_][\w.]{2,63})(?![\w. ])/i;

/** Message of a line of a structured log. */
const SAID = /"(?:msg|message|event|error|err|detail|title)"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\.){1,512})"/;

/**
 * Maximum characters read to find the end of a body. Of a longer body, all text behind its start counts as the body.
 */
const MAX_BODY = 8192;

/** Replaces bodies of JSON, hashes, dictionaries and records with one placeholder each, with the error they name. */
export function withoutDocuments(text: string): string {
  let result = '';
  let from = 0;
  for (let at = nextOpening(text, 0); at !== -1; at = nextOpening(text, at)) {
    if (!beginsBody(text, at)) {
      at += 1;
      continue;
    }
    const end = closing(text, at);
    const whole = text.slice(0, at).trim() === '' && text.slice(end).trim() === '';
    const body = text.slice(at, end);
    const said = (whole ? SAID : NAMED_ERROR).exec(body)?.[1];
    // A text that is only a body, without a message, would become empty.
    if (whole && said === undefined) return text;
    result += `${text.slice(from, at)}<json${said === undefined ? '' : ` ${said}`}>`;
    from = end;
    at = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}
const OPENING = /[{[]/g;

function beginsBody(text: string, at: number): boolean {
  // In brackets only a record has keys: `Order[id=17]`, `map[a:1 b:2]`; other brackets hold a list or a level.
  if (text.charAt(at) === '[' && !/\w/.test(text.charAt(at - 1))) {
    BODIES.lastIndex = at;
    return BODIES.test(text);
  }
  BODY.lastIndex = at;
  return BODY.test(text);
}

/**
 * Returns the offset behind the bracket that closes the one at `start`, skipping quoted brackets. Returns the end of
 * the text when there is none within `MAX_BODY`.
 */
function closing(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_BODY);
  let depth = 0;
  let quote = '';
  for (let at = start; at < limit; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"') quote = char;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
