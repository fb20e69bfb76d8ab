import { priceOf } from './prices.js';

export class Cart {
  books = [];

  /** Adds a book; cheap ones come first. */
  add(book, isCheap = (one) => priceOf(one) < 5) {
    if (book.title === 'Emma' && isCheap(book)) {
      this.books.unshift(book);
    } else {
      this.books.push(book);
    }
  }

  total() {
    let total = 0;
    for (const book of this.books) {
      total += priceOf(book);
    }
    return total;
  }
}
