import type { FieldKind } from './field-names.ts';
import { FILTERED } from './filtered.ts';
import { literalsOf } from './string-literals.ts';

/** Words that end the name of a secret. Other words, such as `auth`, are too common in other text. */
const NAME =
  '(?:passw(?:or)?d|passphrase|pwd|secret|(?:api|private|secret|access|account|encryption|signing)[_-]?key|(?:access|api|auth|bearer|csrf|id|private|refresh|secret|session)[_-]?token)';
const QUOTED = String.raw`[bfru]{0,2}(["'\`])(?!\s{0,40}["'\`])(?:(?!\4)[^\\\n]|\\.){1,512}(?:\4|$)`;
/** Name, sign, and the value: text in quotation marks, also escaped ones, or a bare word behind an equals sign. */
const ASSIGNMENT = new RegExp(
  String.raw`(${NAME}\d{0,2})(\\{0,4}["'\`]?\]?\s{0,8}(=>|:=|={1,3}|:\s?\w{1,30}\s?=|:)\s{0,8})(?:${QUOTED}|(\\{1,4}["'])[^"'\\\n]{1,512}|([^\s"'\`&;,()<>[\]{}\\]{1,512}))`,
  'gi',
);
/** Bare words that are no secret: no value, a reference, or a folder (`PWD=/srv`). */
const NO_VALUE = /^(?:null|nil|none|undefined|true|false|\*+|\?|[$%#/=].*|[a-z]:\\.*)$/i;

/**
 * Word behind a colon or a blank that is taken for a secret. It has at least 6 characters, with a letter and a digit,
 * which words of a sentence rarely have.
 */
const LIKE_A_SECRET = /^(?=.*[A-Za-z])(?=.*\d).{6,}$/;

/** Bare words in a string literal that are no secret: a parameter of SQL, or a regular expression. */
const PARAMETER = /^(?:[:@][a-z_]+\d{0,2}|[.|].*)$/i;
/** Text behind a quotation mark that closed a literal, as in `"password=" + value`. */
const AFTER_LITERAL = /^\s*(?:[-+,;:)\]}.%&|?]|$)/;

const CONTEXT = 64;

/**
 * Replaces the value behind `password=` and similar names: text in quotation marks, and a word behind an equals sign.
 * In source lines such a word is code, except in a string literal. Names that `kindOf` calls safe keep their value.
 */
export function hideAssignments(text: string, isSource: boolean, kindOf: (name: string) => FieldKind): string {
  const literalAt = isSource ? literalsOf(text) : undefined;
  return text.replace(
    ASSIGNMENT,
    (
      whole: string,
      name: string,
      between: string,
      sign: string,
      quote: string | undefined,
      escaped: string | undefined,
      word: string | undefined,
      at: number,
    ) => {
      const begin = /[\w.-]*$/.exec(text.slice(Math.max(0, at - CONTEXT), at))?.[0] ?? '';
      if (kindOf(begin + name) === 'safe') return whole;
      const valueAt = at + name.length + between.length;
      if (quote !== undefined) {
        const value = whole.slice(whole.indexOf(quote, name.length + between.length) + 1);
        if (literalAt?.(valueAt) === quote && AFTER_LITERAL.test(value)) return whole;
        const closed = value.endsWith(quote) && value.length > 1;
        return `${name}${between}${quote}${FILTERED}${closed ? quote : ''}`;
      }
      if (escaped !== undefined) return `${name}${between}${escaped}${FILTERED}`;
      if (word === undefined || NO_VALUE.test(word)) return whole;
      if (literalAt !== undefined && (literalAt(valueAt) === '' || isCode(name, word, text.charAt(at + whole.length))))
        return whole;
      const adjoins = sign === '=' && between.trimEnd() === between;
      const hidden = adjoins || ((sign === '=' || sign === ':') && LIKE_A_SECRET.test(word));
      return hidden ? `${name}${between}${FILTERED}` : whole;
    },
  );
}

/** Returns true for a word in a literal that is a call, a parameter, or repeats the name, as in `token=user.token`. */
function isCode(name: string, word: string, next: string): boolean {
  return next === '(' || next === '[' || PARAMETER.test(word) || isSameName(name, word);
}

function isSameName(name: string, word: string): boolean {
  const [a, b] = [name.toLowerCase(), word.toLowerCase()];
  return a === b || b.endsWith(`.${a}`) || b.endsWith(`_${a}`) || a.endsWith(`_${b.slice(b.lastIndexOf('.') + 1)}`);
}
