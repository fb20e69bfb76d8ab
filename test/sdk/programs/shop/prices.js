const LAST_KNOWN = new Map([['Emma', 7]]);

/** Price of a book, else the last that is known. */
export function priceOf(book) {
  const price = book.price ?? LAST_KNOWN.get(book.title);
  if (price === undefined) {
    throw new RangeError(`no price for ${book.title}`);
  }
  return price;
}
