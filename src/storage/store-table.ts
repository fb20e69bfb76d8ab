import type { Store } from '../domain/ports/stores/store.ts';

type Answer<M extends keyof Store> = Awaited<ReturnType<Store[M]>>;

/** Functions that implement methods of the store: each takes its context first, then the method's arguments. */
export type StoreTable<Context> = {
  readonly [M in keyof Store]?: (context: Context, ...args: Parameters<Store[M]>) => Answer<M> | Promise<Answer<M>>;
};

type Row<Context> = (context: Context, ...args: readonly unknown[]) => unknown;

/**
 * Creates the methods of a table. Each calls `run` with its row, which needs the context, and with name and arguments
 * for running it elsewhere. `run` must reject on failure, never throw.
 */
export function methodsOf<Context, T extends StoreTable<Context>>(
  table: T,
  run: (row: (context: Context) => unknown, name: keyof T, args: readonly unknown[]) => Promise<unknown>,
): Pick<Store, keyof T & keyof Store> {
  const rows = Object.entries(table) as unknown as [keyof T, Row<Context>][];
  const methods = rows.map(([name, row]): [keyof T, unknown] => [
    name,
    (...args: readonly unknown[]) => run((context) => row(context, ...args), name, args),
  ]);
  // Every row has the arguments and the result of its method in the port.
  return Object.fromEntries(methods) as unknown as Pick<Store, keyof T & keyof Store>;
}
