/** Bounds of one ingestion request, from the `intake` part of the configuration; what exceeds one is refused whole. */
export interface IntakeLimits {
  /** Body as it comes over the wire, bytes. */
  readonly maxRequestBytes: number;
  /** Body after decompression, bytes. */
  readonly maxInflatedBytes: number;
  /** One event, inflated, bytes. */
  readonly maxEventBytes: number;
  /** Milliseconds a sender may take for the whole body. */
  readonly bodyTimeoutMs: number;
  /** Requests that are read or written at a time; more are told to come again. */
  readonly maxRequestsInFlight: number;
}
