import { AppError } from '../../domain/app-error.ts';
import { COPY_PARTS, type CopyPart, type CopyRows, type CopySource, type CopyTarget } from './copy-rows.ts';

export interface CopyCount {
  readonly part: CopyPart;
  readonly source: number;
  readonly target: number;
}

export interface CopyOptions {
  readonly source: CopySource;
  readonly target: CopyTarget;
  /** Id of the source: an interrupted copy continues only from the same one. */
  readonly sourceId: string;
  /** Called for each block whose bodies cannot be read; it is copied as it is. */
  readonly onDamaged?: (block: CopyRows['eventBlocks']) => void;
  readonly onProgress?: (doneRows: number, totalRows: number) => void;
}

/**
 * Copies everything and compares the counts at the end. Safe to repeat after an interruption. Throws `conflict` when
 * the target is in use, or when a count differs; then the target is not released for use.
 */
export async function copyStore(options: CopyOptions): Promise<CopyCount[]> {
  const { source, target, onDamaged = () => undefined } = options;
  await target.begin(options.sourceId);
  const total = COPY_PARTS.reduce((sum, part) => sum + source.count(part), 0);
  let done = 0;
  for (const part of COPY_PARTS) {
    for (const page of source.pages(part)) {
      await target.write(part, page);
      if (part === 'eventBlocks') {
        (page as readonly CopyRows['eventBlocks'][])
          .filter(({ damaged }) => damaged)
          .forEach((block) => onDamaged(block));
      }
      done += page.length;
      options.onProgress?.(done, total);
    }
  }
  for (const name of source.namedFiles()) {
    const content = await source.openFile(name);
    // A file that is missing here is missing there.
    if (content !== null) await target.putFile(name, content);
  }
  const counts: CopyCount[] = [];
  for (const part of COPY_PARTS) {
    counts.push({ part, source: source.count(part), target: await target.count(part) });
  }
  const wrong = counts.filter((count) => count.source !== count.target);
  if (wrong.length > 0) {
    const list = wrong.map(({ part, source: from, target: to }) => `${part}: ${from} here, ${to} there`).join('; ');
    throw new AppError('conflict', `the copy is not complete (${list}); run the command again`);
  }
  await target.finish();
  return counts;
}
