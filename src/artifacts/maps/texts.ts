/** Texts by number, each once. */
export class Texts {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** Returns the number of a text, which is added when it is new. */
  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.list.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}
