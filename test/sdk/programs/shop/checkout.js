import { Cart } from './cart.js';

const BOOKS = [{ title: 'Emma', price: 7 }, { title: 'Persuasion' }];

/** Sells a book that has a price, and one that has none. */
export function checkout(note) {
  const cart = new Cart();
  for (const book of BOOKS) {
    cart.add(book);
  }
  const total = cart.total();
  note(`sold for ${total}`);
}
