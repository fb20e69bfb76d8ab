import { AppError } from '../../domain/app-error.ts';
import { EXPLANATIONS, walkItems } from './read/envelope.ts';
import { categoryOf, quantityOf } from './read/item-category.ts';
import { OutcomeTally } from './outcome-tally.ts';

/** Items counted in one turn of the event loop: about 5 ms, so that a request of 20 MB delays no other. */
const ITEMS_PER_TURN = 5000;

/**
 * Creates the error for an envelope of more than `MAX_ITEMS` items. Reads all of them and counts them in the error's
 * `items` by category. An unreadable rest counts as one `default` item.
 */
export async function tooManyItems(body: Buffer, itemsAt: number): Promise<AppError> {
  const tally = new OutcomeTally();
  const reading = walkItems(body, itemsAt);
  let step = reading.next();
  for (let count = 1; step.done !== true; count += 1) {
    tally.add(categoryOf(step.value.type), 'invalid', 'too_many_items', quantityOf(step.value.header));
    if (count % ITEMS_PER_TURN === 0) await new Promise(setImmediate);
    step = reading.next();
  }
  if (step.value !== null) tally.add('default', 'invalid', step.value);
  return new AppError('ingest_too_large', EXPLANATIONS.too_many_items, {
    details: { reason: 'too_many_items', items: tally.list() },
  });
}
