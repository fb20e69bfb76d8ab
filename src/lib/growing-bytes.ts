const FIRST_BYTES = 64 * 1024;
/** Bytes up to which a loop copies faster than a call. */
const SHORT_BYTES = 48;

/** Bytes that are put together from parts; the memory is used again after `clear`. */
export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** Adds the bytes of `source` from `from` to before `to`. */
  add(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    if (count > SHORT_BYTES) this.#bytes.set(source.subarray(from, to), this.#length);
    else for (let index = 0; index < count; index += 1) this.#bytes[this.#length + index] = source[from + index] ?? 0;
    this.#length += count;
  }

  /** Returns a view, which holds until the next `clear`. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(count: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
