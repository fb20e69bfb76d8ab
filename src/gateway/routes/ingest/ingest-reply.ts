/** Answer to an SDK, before it is written. */
export interface IngestReply {
  readonly status: number;
  /** Names and values in turn, as `ServerResponse.writeHead` takes them. */
  readonly headers: readonly string[];
  /** Null: an answer without a body. */
  readonly body: string | Buffer | null;
  /** True when the answer was delayed, which is not the time of accepting events. */
  readonly held: boolean;
}
