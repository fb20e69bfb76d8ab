import { existsSync } from 'node:fs';
import { nodeJournalFiles } from '../../integrated/intake/journal/node-files.ts';
import { findJournal } from '../../integrated/intake/journal/open-journal.ts';
import { segmentsDir } from '../../integrated/intake/journal/segment.ts';
import { listQuarantine } from '../../integrated/quarantine/quarantine-file.ts';
import { counted } from '../../lib/counted.ts';
import { journalDir, quarantineDir } from '../data-dir/data-dir-paths.ts';
import { ageText, bytesText, fail, type Finding, ok, warn } from './finding.ts';

/** Milliseconds after which a record counts as late: it should have been digested. */
const LATE_MS = 5 * 60_000;

export interface JournalState {
  readonly bytes: number;
  /** Age of the oldest undigested record in milliseconds; 0 when there is none. */
  readonly oldestAgeMs: number;
}

/** Reads the state from the running service; null when it does not answer. */
export async function journalOfService(url: string): Promise<JournalState | null> {
  try {
    const answer = await fetch(`${url}/-/metrics`, { signal: AbortSignal.timeout(5000) });
    const text = answer.ok ? await answer.text() : '';
    const bytes = gauge(text, 'errgate_journal_bytes');
    const oldest = gauge(text, 'errgate_journal_oldest_seconds');
    return bytes === null || oldest === null ? null : { bytes, oldestAgeMs: oldest * 1000 };
  } catch {
    return null;
  }
}

function gauge(text: string, name: string): number | null {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

/**
 * Reads the state from the files of a stopped service. An oldest record that is already digested still counts as
 * waiting.
 */
export async function journalOnDisk(dataDir: string, now: number): Promise<JournalState> {
  const dir = journalDir(dataDir);
  if (!existsSync(segmentsDir(dir))) return { bytes: 0, oldestAgeMs: 0 };
  const { segments } = await findJournal(nodeJournalFiles, dir);
  const times = segments.map((segment) => segment.receivedAt).filter((at) => at !== null);
  return {
    bytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    oldestAgeMs: times.length === 0 ? 0 : now - Math.min(...times),
  };
}

export function checkJournal(state: JournalState, running: boolean, maxBytes: number): Finding {
  const text = `${bytesText(state.bytes)}, oldest record ${ageText(state.oldestAgeMs)} old`;
  if (state.bytes >= maxBytes) {
    return fail(
      'journal',
      `${text}: full, events are refused`,
      'find out why the digest has stopped: log, disk, store',
    );
  }
  if (state.oldestAgeMs <= LATE_MS) return ok('journal', state.bytes === 0 ? 'empty' : text);
  return running
    ? warn('journal', `${text}: the digest does not keep up`, 'check the log, the load of the machine and the disk')
    : warn('journal', `${text}: waits for the service`, 'start `errgate serve`, or run `errgate journal drain`');
}

export async function checkQuarantine(dataDir: string): Promise<Finding> {
  const entries = await listQuarantine(nodeJournalFiles, quarantineDir(dataDir));
  if (entries.length === 0) return ok('quarantine', 'empty');
  return warn(
    'quarantine',
    `${counted(entries.length, 'record')} could not be digested`,
    '`errgate quarantine list` shows why; after an update run `errgate quarantine replay`',
  );
}
