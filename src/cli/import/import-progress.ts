import type { ImportProgress, OnProgress, StageName } from '../../import/import-run.ts';
import type { Progress } from '../../lib/progress.ts';
import { printJsonLine, showProgress } from '../call/output.ts';

interface ShownStage {
  readonly project: string;
  readonly name: StageName;
  readonly bar: Progress;
}

/** Shows stages one after another: a bar each, and with `json` a line of JSON when one ends. */
export function showStages(json: boolean | undefined): { readonly onProgress: OnProgress; readonly stop: () => void } {
  let shown: ShownStage | null = null;
  let last: ImportProgress | null = null;
  const end = (): void => {
    if (shown === null) return;
    shown.bar.stop();
    const { project, name } = shown;
    const stage = last?.stages.find((one) => one.name === name);
    if (json === true) printJsonLine({ project, stage: name, done: stage?.done ?? 0, total: stage?.total ?? null });
    shown = null;
  };
  return {
    onProgress(progress) {
      const { project, stage } = progress;
      if (shown !== null && (shown.project !== project || shown.name !== stage)) end();
      last = progress;
      if (project === null || stage === null) return;
      shown ??= { project, name: stage, bar: showProgress(`${project}: ${stage}`, 'done') };
      const now = progress.stages.find((one) => one.name === stage);
      if (now !== undefined) shown.bar.update(now.done, now.total);
    },
    stop: end,
  };
}
