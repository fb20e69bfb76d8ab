import PQueue from 'p-queue';

/** Bounds the large bodies inflated at a time, whatever their encoding: a flood of them cannot fill the memory. */
export const inflateQueue = new PQueue({ concurrency: 4 });
