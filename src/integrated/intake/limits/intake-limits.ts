/**
 * Bounds of one ingestion request, from the `intake` part of the configuration. A request above one is refused as a
 * whole.
 */
export interface IntakeLimits {
  /** Body as it comes over the wire, bytes. */
  readonly maxRequestBytes: number;
  /** Body after decompression, bytes. */
  readonly maxInflatedBytes: number;
  /** One event, inflated, bytes. */
  readonly maxEventBytes: number;
  /** Maximum milliseconds to send the whole body. */
  readonly bodyTimeoutMs: number;
  /** Maximum number of concurrent requests; more are answered with a retry time. */
  readonly maxRequestsInFlight: number;
}
