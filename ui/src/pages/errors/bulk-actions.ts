/** Errors that one action can change at most. */
export const MAX_BULK = 10_000;

/** Actions for selected errors. */
export type BulkAction =
  | 'resolve'
  | 'resolve-next'
  | 'resolve-this'
  | 'ignore'
  | 'ignore-until'
  | 'reopen'
  | 'assign'
  | 'reviewed'
  | 'merge'
  | 'delete';

/** What the user, the backend and the selection allow, beside resolving and ignoring. */
export interface BulkOffers {
  /** Resolving by release and ignoring until a condition. */
  readonly conditions: boolean;
  /** Whether releases of the project are known. */
  readonly releases: boolean;
  /** Whether the list can contain resolved or ignored errors. */
  readonly reopens: boolean;
  readonly assigns: boolean;
  readonly reviews: boolean;
  readonly merges: boolean;
  readonly deletes: boolean;
}

interface Item {
  readonly key: BulkAction;
  readonly label: string;
  readonly hint?: string;
  readonly danger?: boolean;
  readonly narrow?: boolean;
}

/** Items of the menu with the remaining actions. */
export function moreItems(offers: BulkOffers): readonly Item[] {
  const items: readonly (Item | false)[] = [
    offers.assigns && { key: 'assign', label: 'Assign…', narrow: true },
    offers.reopens && { key: 'reopen', label: 'Reopen', narrow: true },
    offers.reviews && { key: 'reviewed', label: 'Mark as reviewed', hint: 'Leaves the list For review' },
    offers.merges && { key: 'merge', label: 'Merge…', narrow: true },
    offers.deletes && { key: 'delete', label: 'Delete…', danger: true },
  ];
  return items.filter((item) => item !== false);
}
