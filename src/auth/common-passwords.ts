/**
 * Common passwords in lower case, about 50,000. Loaded when a password is first set, because they take 15 MB and 70 ms.
 */
let known: Promise<ReadonlySet<string>> | null = null;

/** Common passwords that the list lacks: the name of the product, and a famous example of a passphrase. */
const ADDED = ['errgate', 'correcthorsebatterystaple'];

/** Rows of keys: US, German and French layout. */
const ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiopü', 'azertyuiop', 'asdfghjklöä', 'zxcvbnm', 'yxcvbnm'];

/** Letters of common substitutions, after the list of zxcvbn. `1` and `!` stand for two letters; see `spellings`. */
const LETTERS: Readonly<Record<string, string>> = {
  '4': 'a',
  '@': 'a',
  '3': 'e',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};

/** Digits and punctuation at the end of a password, such as a year, up to four. A longer end is hard to guess. */
const END = /[^\p{L}]{1,4}$/u;
/** Minimum characters of a word before its end: shorter ones occur in random passwords. */
const MIN_WORD_LENGTH = 4;
/** Maximum characters of a part that makes a password weak by its repetition alone. A longer part must be common. */
const SHORT_PART_LENGTH = 4;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...ADDED]);
}

function isInRow(word: string): boolean {
  const reversed = Array.from(word).reverse().join('');
  return ROWS.some((row) => row.includes(word) || row.includes(reversed));
}

/** True for neighbours of an alphabet or digits in order, in either direction: `abcdefgh`, `8765`. */
function isSequence(word: string): boolean {
  const codes = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

/** Returns the length of the shortest part that the word repeats; the last repetition may be incomplete. */
function partLength(word: string): number {
  let length = 1;
  while (!word.startsWith(word.slice(length))) length += 1;
  return length;
}

/** True for repetitions of a short part, and of a common word with or without a sign between: `root-root`. */
function repeats(word: string, list: ReadonlySet<string>): boolean {
  const length = partLength(word);
  if (length <= SHORT_PART_LENGTH) return word.length >= 2 * length;
  return word.length >= 2 * length - 1 && isCommon(word.slice(0, length), list);
}

/** Returns the word, and the word with its substitutions undone for each meaning of `1` and `!`. */
function spellings(word: string): string[] {
  const letters = word.replace(/[4@305$7]/g, (sign) => LETTERS[sign] ?? sign);
  return [word, ...['i', 'l'].map((letter) => letters.replace(/[1!]/g, letter))];
}

function isCommon(whole: string, list: ReadonlySet<string>): boolean {
  const end = END.exec(whole)?.[0].length ?? 0;
  // Tries each length of the end: `passw0rd!` ends with one mark, `pa55` with two letters.
  const words = Array.from({ length: end + 1 }, (_, cut) => whole.slice(0, whole.length - cut));
  return words
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .some(
      (word) =>
        isInRow(word) ||
        isSequence(word) ||
        repeats(word, list) ||
        spellings(word).some((spelling) => list.has(spelling)),
    );
}

/**
 * Returns true for a password that attackers guess first: one from public leaks, a row of keys, a sequence such as
 * `abcdefgh`, or a repetition of a short part or of such a password. Case, substituted letters and up to four digits or
 * punctuation marks at its end make no difference. Random passwords do not match.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await (known ??= load());
  return isCommon(password.toLowerCase(), list);
}
