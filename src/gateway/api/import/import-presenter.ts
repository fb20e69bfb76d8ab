import type { MoveInProgress } from '../../../domain/ports/move-in.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentImportProgress(progress: MoveInProgress) {
  const { state, stages, message, switches, startedAt, endedAt, notes } = progress;
  return {
    state,
    stages,
    message,
    switch: switches,
    started_at: isoTime(startedAt),
    ended_at: endedAt === null ? null : isoTime(endedAt),
    notes,
  };
}
