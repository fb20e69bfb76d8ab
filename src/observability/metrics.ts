import { Counter, Gauge, Histogram, Registry, monitorEventLoopDelay } from './prometheus.ts';

/** Creates all metrics of a gateway. Names include the unit; labels have closed sets of values, never input. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    ...httpMetrics(registers),
    ...intakeMetrics(registers),
    ...digestMetrics(registers),
    ...uploadMetrics(registers),
    ...forwardMetrics(registers),
    ...alertMetrics(registers),
    ...agentMetrics(registers),
    loopDelaySeconds: monitorEventLoopDelay(registers),
  };
}

function httpMetrics(registers: Registry[]) {
  return {
    /** Responses by route group, method and status. */
    requests: new Counter({
      name: 'errgate_http_requests_total',
      help: 'HTTP answers by route group, method and status',
      labelNames: ['group', 'method', 'status'] as const,
      registers,
    }),
    signIns: new Counter({
      name: 'errgate_sign_ins_total',
      help: 'Sign-ins of people, by way and outcome',
      labelNames: ['way', 'outcome'] as const,
      registers,
    }),
    issueHooks: new Counter({
      name: 'errgate_issue_hooks_total',
      help: 'Requests of webhooks of GitLab issues, by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    authHeadersIgnored: new Counter({
      name: 'errgate_auth_header_ignored_total',
      help: 'Requests whose header of the sign-in came from no trusted proxy',
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'errgate_http_request_seconds',
      help: 'Time to answer by route group',
      labelNames: ['group'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
  };
}

/** Metrics from the request of an SDK to the journal. */
function intakeMetrics(registers: Registry[]) {
  return {
    accepted: new Counter({ name: 'errgate_events_accepted_total', help: 'Events acknowledged to SDKs', registers }),
    dropped: new Counter({
      name: 'errgate_items_dropped_total',
      help: 'Items not kept, by category and reason',
      labelNames: ['category', 'reason'] as const,
      registers,
    }),
    refused: new Counter({
      name: 'errgate_ingest_refused_total',
      help: 'Ingestion requests refused, by reason',
      labelNames: ['reason'] as const,
      registers,
    }),
    /** Reads the state of the journal at each scrape. */
    watchJournal: (state: () => JournalState) => watchJournal(registers, state),
    journalSyncSeconds: new Histogram({
      name: 'errgate_journal_sync_seconds',
      help: 'Time of one write and sync shared by concurrent requests',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
      registers,
    }),
  };
}

/** Metrics from the journal to the store. */
function digestMetrics(registers: Registry[]) {
  return {
    stored: new Counter({ name: 'errgate_events_stored_total', help: 'Events stored by the digest', registers }),
    duplicates: new Counter({
      name: 'errgate_events_duplicate_total',
      help: 'Repeats recognised by event id',
      registers,
    }),
    digestBatchSeconds: new Histogram({
      name: 'errgate_digest_batch_seconds',
      help: 'Time of one digest batch',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    digestRestarts: new Counter({
      name: 'errgate_digest_restarts_total',
      help: 'Times that a digest thread which had died was replaced',
      registers,
    }),
    frames: new Counter({
      name: 'errgate_frames_total',
      help: 'Frames whose original place was looked up, by result',
      labelNames: ['result'] as const,
      registers,
    }),
    groupedAsSent: new Counter({
      name: 'errgate_events_grouped_as_sent_total',
      help: 'Events grouped as they were sent, because the maps of some of their frames are missing',
      registers,
    }),
    quarantined: new Counter({
      name: 'errgate_quarantined_total',
      help: 'Records set aside as not digestible',
      registers,
    }),
  };
}

/** Metrics of uploads of build tools. */
function uploadMetrics(registers: Registry[]) {
  return {
    uploads: new Counter({
      name: 'errgate_uploads_total',
      help: 'Uploads of build tools, by result',
      labelNames: ['result'] as const,
      registers,
    }),
    uploadChunks: new Counter({
      name: 'errgate_upload_chunks_total',
      help: 'Chunks of uploads, by result',
      labelNames: ['result'] as const,
      registers,
    }),
    uploadsKept: new Gauge({
      name: 'errgate_uploads_kept',
      help: 'Uploads that are kept, counted every hour by the gateway that removes old ones',
      registers,
    }),
    uploadBytes: new Gauge({
      name: 'errgate_uploads_bytes',
      help: 'Bytes of the uploads that are kept and of what was made of them, counted like them',
      registers,
    }),
  };
}

/** Metrics of requests that are forwarded to other trackers. */
function forwardMetrics(registers: Registry[]) {
  return {
    forwarded: new Counter({
      name: 'errgate_forward_requests_total',
      help: 'Requests forwarded to other trackers or given up, and items left out of them, by result',
      labelNames: ['result'] as const,
      registers,
    }),
    forwardWaitingBytes: new Gauge({
      name: 'errgate_forward_waiting_bytes',
      help: 'Bytes on disk of requests that wait to be forwarded',
      registers,
    }),
    forwardOldestSeconds: new Gauge({
      name: 'errgate_forward_oldest_seconds',
      help: 'Age of the oldest request that is being forwarded',
      registers,
    }),
  };
}

/** Metrics of agents that ask by the Model Context Protocol. */
function agentMetrics(registers: Registry[]) {
  return {
    agentCalls: new Counter({
      name: 'errgate_agent_calls_total',
      help: 'Calls of tools by agents, by tool and outcome',
      labelNames: ['tool', 'outcome'] as const,
      registers,
    }),
    agentSuspicious: new Counter({
      name: 'errgate_agent_suspicious_total',
      help: 'Answers to agents with event text that looks as if it were meant to be obeyed, by mark',
      labelNames: ['mark'] as const,
      registers,
    }),
  };
}

/** Metrics of messages about errors. */
function alertMetrics(registers: Registry[]) {
  return {
    alertFacts: new Counter({
      name: 'errgate_alerts_facts_total',
      help: 'Facts about errors that alerts took up, by kind',
      labelNames: ['kind'] as const,
      registers,
    }),
    alertMessages: new Counter({
      name: 'errgate_alerts_messages_total',
      help: 'Attempts to send a message, and messages that were dropped, by kind of channel and outcome',
      labelNames: ['channel', 'outcome'] as const,
      registers,
    }),
    alertDead: new Counter({
      name: 'errgate_alerts_dead_total',
      help: 'Messages that were given up after all attempts',
      registers,
    }),
    /** Reads at each scrape since when the oldest message is unsent; null: none is. */
    watchAlerts(unsentSince: () => number | null) {
      new Gauge({
        name: 'errgate_alerts_oldest_unsent_seconds',
        help: 'Age of the oldest message, or of facts, that should have been sent; 0 on gateways without the work',
        registers,
        collect() {
          const since = unsentSince();
          this.set(since === null ? 0 : Math.max(0, Date.now() - since) / 1000);
        },
      });
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

export interface JournalState {
  readonly bytes: number;
  /** Bytes at which events are refused. */
  readonly maxBytes: number;
  /** Bytes that may still be written to the disk of the data folder; null: unknown. */
  readonly diskFreeBytes: number | null;
  /** Age of the oldest record that is not digested; 0 for none. */
  readonly oldestSeconds: number;
}

function watchJournal(registers: Registry[], state: () => JournalState): void {
  new Gauge({
    name: 'errgate_journal_bytes',
    help: 'Bytes of journal files on disk',
    registers,
    collect() {
      this.set(state().bytes);
    },
  });
  new Gauge({
    name: 'errgate_journal_max_bytes',
    help: 'Bytes of the journal at which events are refused',
    registers,
    collect() {
      this.set(state().maxBytes);
    },
  });
  new Gauge({
    name: 'errgate_disk_free_bytes',
    help: 'Free bytes on the disk of the data folder; NaN: unknown',
    registers,
    collect() {
      this.set(state().diskFreeBytes ?? NaN);
    },
  });
  new Gauge({
    name: 'errgate_journal_oldest_seconds',
    help: 'Age of the oldest record that is not yet digested',
    registers,
    collect() {
      this.set(state().oldestSeconds);
    },
  });
}
