import { Slots } from './slots.ts';

/** Large bodies inflated at a time, whatever their encoding; more wait, so that a flood of bombs cannot fill the memory. */
export const inflateSlots = new Slots(4);
