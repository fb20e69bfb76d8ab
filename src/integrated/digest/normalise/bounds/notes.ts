import { MAX_NOTES } from './limits.ts';

/**
 * Collects notes on cut, cleaned or refused values. The position is set once per list and index, and formatted only for
 * a note, which is rare.
 */
export class Notes {
  readonly list: string[] = [];
  private base = '';
  private index = -1;

  /** Sets the place of the following notes: `exceptions[0].frames`, index 3. Without arguments: the event itself. */
  at(base = '', index = -1): void {
    this.base = base;
    this.index = index;
  }

  /** Adds a note. `name` and `what` are constants, never text of the event. Above the bound only the fact is noted. */
  add(name: string, what: string): void {
    if (this.list.length < MAX_NOTES) {
      const note = `${this.path(name)}: ${what}`;
      // The source lines around a call share one name, so they give one note.
      if (note !== this.list.at(-1)) this.list.push(note);
    } else if (this.list.length === MAX_NOTES) {
      this.list.push('further notes omitted');
    }
  }

  /** Adds the note of a value that is left out as a whole. `name` and `why` as for `add`. */
  dropped(name: string, why: string): void {
    if (this.list.length < MAX_NOTES) this.list.push(`dropped: ${this.path(name)} is invalid (${why})`);
    else this.add(name, '');
  }

  private path(name: string): string {
    const place = this.index < 0 ? this.base : `${this.base}[${this.index}]`;
    return place === '' || name === '' ? place + name : `${place}.${name}`;
  }
}
