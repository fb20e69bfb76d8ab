/** Root of Bugsink's canonical API. */
export const BUGSINK_ROOT = '/api/canonical/0/';
