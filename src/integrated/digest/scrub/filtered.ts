/** Replacement of a secret. */
export const FILTERED = '[Filtered]';
