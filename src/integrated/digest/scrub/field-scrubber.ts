import { isSensitiveCookie } from './field-names.ts';
import { FILTERED } from './filtered.ts';
import { isCardNumber, type KindOf, scrubAddresses, scrubText } from './value-patterns.ts';

/** Maximum depth, above any tree of a normalised event. A JSON body in text may be deeper and loses the rest. */
const MAX_DEPTH = 64;
/** Cookie headers, which events also contain in extra data and breadcrumbs. */
const COOKIE_HEADER = /^(?:set-)?cookie$/i;

/** Hides secrets in texts, in members by their names, and in trees of JSON values, which it changes in place. */
export class FieldScrubber {
  readonly kindOf: KindOf;
  readonly #scrubIps: boolean;

  constructor(kindOf: KindOf, scrubIps: boolean) {
    this.kindOf = kindOf;
    this.#scrubIps = scrubIps;
  }

  /** Removes IP addresses where that is configured. */
  withoutAddresses(value: string): string {
    return this.#scrubIps ? scrubAddresses(value) : value;
  }

  text(value: string): string {
    return this.withoutAddresses(scrubText(value, this.kindOf));
  }

  /** Scrubs text for users, which contains words such as bearer without a secret. */
  prose(value: string): string {
    return this.withoutAddresses(scrubText(value, this.kindOf, 'prose'));
  }

  proseOrNull(value: string | null): string | null {
    return value === null ? null : this.prose(value);
  }

  /** Scrubs the value of a name. `hide`: applied to a value with an ordinary name. */
  named(name: string, value: string, hide: (text: string) => string): string {
    const kind = this.kindOf(name);
    return kind === 'safe' ? value : kind === 'sensitive' && value !== '' ? FILTERED : hide(value);
  }

  /** Scrubs pairs of name and value. `isSensitive`: additional secret names. */
  pairs(list: [string, string][], isSensitive: (name: string) => boolean = () => false): void {
    for (const pair of list) {
      const kind = this.kindOf(pair[0]);
      if (kind !== 'safe') {
        const secret = kind === 'sensitive' || isSensitive(pair[0]);
        pair[1] = secret ? (pair[1] === '' ? '' : FILTERED) : this.text(pair[1]);
      }
    }
  }

  /** Hides session cookies in the value of a cookie header: parts between semicolons, with or without a value. */
  cookies(value: string): string {
    return value
      .split(';')
      .map((part) => {
        const equals = part.indexOf('=');
        if (equals < 0) return part;
        const name = part.slice(0, equals);
        const cookie: [string, string] = [name.trim(), part.slice(equals + 1)];
        this.pairs([cookie], isSensitiveCookie);
        return `${name}=${cookie[1]}`;
      })
      .join(';');
  }

  /** Scrubs the members of an object. */
  bag(object: Record<string, unknown> | null, depth = 0): void {
    for (const name in object) {
      const value = object[name];
      const scrubbed = this.#member(name, value, depth);
      if (scrubbed !== value) {
        object[name] = scrubbed;
      }
    }
  }

  /** Scrubs a value of JSON. Returns the same object or list, or a replaced text or number. */
  tree(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') {
      return this.text(value);
    }
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'number' && isCardNumber(value) ? FILTERED : value;
    }
    if (depth > MAX_DEPTH) {
      return FILTERED;
    }
    if (Array.isArray(value)) {
      const list = value as unknown[];
      for (let i = 0; i < list.length; i += 1) {
        const scrubbed = this.tree(list[i], depth + 1);
        if (scrubbed !== list[i]) {
          list[i] = scrubbed;
        }
      }
      return list;
    }
    this.bag(value as Record<string, unknown>, depth);
    return value;
  }

  #member(name: string, value: unknown, depth: number): unknown {
    switch (this.kindOf(name)) {
      case 'safe':
        return value;
      case 'sensitive':
        return isFilterable(value) ? FILTERED : value;
      case 'plain':
        if (typeof value === 'string' && COOKIE_HEADER.test(name)) return this.cookies(value);
        return this.tree(value, depth + 1);
    }
  }
}

/** Returns false for null, an empty text, true and false, which are never secret. */
function isFilterable(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
