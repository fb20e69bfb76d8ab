import type { MongoContext } from '../engine/context.ts';
import { errorKey, groupHashOf } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';

/** Public numbers of errors by group hash. One entry per error. */
export class ErrorNumbers {
  readonly #context: MongoContext;
  readonly #known = new Map<string, number | null>();

  constructor(context: MongoContext) {
    this.#context = context;
  }

  of({ p, l }: Pick<EventDocument, 'p' | 'l'>): string | null {
    const number = this.#known.get(`${p}/${l.toString('hex')}`) ?? null;
    return number === null ? null : String(number);
  }

  async load(page: readonly Pick<EventDocument, 'p' | 'l'>[]): Promise<void> {
    const missing = new Map<string, ReturnType<typeof errorKey>>();
    for (const { p, l } of page) {
      const groupHash = l.toString('hex');
      if (!this.#known.has(`${p}/${groupHash}`)) missing.set(`${p}/${groupHash}`, errorKey(p, groupHash));
    }
    if (missing.size === 0) return;
    const filter = { _id: { $in: [...missing.values()] }, p: { $in: [...new Set(page.map(({ p }) => p))] } };
    const found = this.#context.collections.errors.find(filter, reading('export.numbers', { p: 1, id: 1 }));
    for await (const { _id, p, id } of found) this.#known.set(`${p}/${groupHashOf(_id)}`, id);
    for (const key of missing.keys()) if (!this.#known.has(key)) this.#known.set(key, null);
  }
}
