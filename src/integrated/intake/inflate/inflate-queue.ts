import PQueue from 'p-queue';

/** Limits how many large bodies, of all encodings, are inflated at a time. A flood of them cannot fill the memory. */
export const inflateQueue = new PQueue({ concurrency: 4 });
