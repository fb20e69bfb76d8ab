import PQueue from 'p-queue';

/** Limits how many large bodies are inflated at a time, in all encodings. A flood of them cannot fill the memory. */
export const inflateQueue = new PQueue({ concurrency: 4 });
