import { MAX_NOTES } from './limits.ts';

/**
 * Collects what was cut, cleaned or refused. A position is set once per list and index and turned into
 * text only when there is something to say, which is rare.
 */
export class Notes {
  readonly list: string[] = [];
  private base = '';
  private index = -1;

  /** Where the following notes belong: `exceptions[0].frames`, index 3. No argument: the event itself. */
  at(base = '', index = -1): void {
    this.base = base;
    this.index = index;
  }

  /** `name` and `what` are ours, never text of the event. Beyond the bound only the fact is noted. */
  add(name: string, what: string): void {
    if (this.list.length < MAX_NOTES) {
      const note = `${this.path(name)}: ${what}`;
      // The lines around a call share a name.
      if (note !== this.list.at(-1)) this.list.push(note);
    } else if (this.list.length === MAX_NOTES) {
      this.list.push('further notes omitted');
    }
  }

  private path(name: string): string {
    const place = this.index < 0 ? this.base : `${this.base}[${this.index}]`;
    return place === '' || name === '' ? place + name : `${place}.${name}`;
  }
}
