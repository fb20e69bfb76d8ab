/** Bounds that hold on every store. Those of one store alone stand where they are used. */

/** Maximum errors per call of the searches for busy and for recent errors. */
export const MAX_BUSY_ERRORS = 1000;
/** Hours before, with which a busy hour of an error is compared: a week. */
export const BUSY_HOURS_BEFORE = 168;
/** Milliseconds by which events of an error may be older than their receipt, so that it is found. */
export const MAX_EVENT_DELAY_MS = 86_400_000;
/** Maximum deliveries around a place in the log. */
export const MAX_DELIVERIES_AROUND = 100;
/** Maximum facts of an error that are shown. */
export const MAX_FACTS_SHOWN = 100;
/** Maximum errors found by an id of a former tracker. */
export const MAX_FOUND_BY_FORMER_ID = 20;
/** Maximum notes of a former tracker that are shown of an error; the newest. */
export const MAX_IMPORTED_NOTES = 100;
/** Maximum rows of a list about an import. */
export const MAX_IMPORT_ROWS = 1000;
/** Event ids per error that are looked up in the former tracker. */
export const EVENT_IDS_LOOKED_UP = 3;
/** Maximum characters of an import's state. */
export const MAX_IMPORT_STATE = 1_048_576;
/** Maximum users that one name leads to: an address may be that of many. */
export const MAX_USERS_OF_NAME = 100;
/** Days by which the stored day of a user name may be behind. */
export const USER_NAME_DAY_STEP = 7;
/** Users whose names are known to be stored: about 100 bytes each. */
export const MAX_KNOWN_USER_NAMES = 20_000;
/** Maximum errors that one call makes unresolved. */
export const MAX_IGNORES_ENDED = 1000;
/** Blocks with removed events above which they are looked at before the end of the walk. */
export const MAX_SHRUNK_BLOCKS = 20_000;
/** Maximum blocks looked at, or of which events are removed, per call: each has at most 64 events. */
export const BLOCKS_PER_CALL = 200;
/** Maximum events found per call that have their body to themselves. */
export const UNPACKED_PER_CALL = 2000;
/** Maximum rows that one slice of the removal of a project deletes: some tens of milliseconds. */
export const PROJECT_SWEEP_ROWS = 5000;
/** Seconds after which a request to an unavailable store is worth a repetition. */
export const STORE_RETRY_AFTER_SECONDS = 5;
