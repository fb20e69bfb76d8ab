/** Actions of the menu of an error. */
export type MoreAction = 'merge' | 'review' | 'unreview' | 'delete';
