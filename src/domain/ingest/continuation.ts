/**
 * Says which mapped events go on with an error of events that came before their map. Others that were sent alike have
 * another original place, so they have an error of their own.
 */
export interface Continuation {
  readonly projectId: number;
  /** Group hash of the events as they were sent. */
  readonly groupHash: string;
  /** Group hash of the mapped events. */
  readonly mappedHash: string;
}
