import { readFileSync } from 'node:fs';
import type { StepRule } from './profile-steps.ts';

/** Members that are used of a file that Node.js writes with `--cpu-prof`. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Microseconds of the monotonic clock, which is the same for all processes of a machine. */
  readonly startTime: number;
  /** Id of the node on top of the stack, for each sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before; the first since `startTime`. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}

/** Function of the program. Functions of V8 and Node.js in C++ have an empty `url`. */
export interface Frame {
  readonly functionName: string;
  readonly url: string;
}

/** Microseconds of the monotonic clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Name of the step for frames that no rule names. */
export const OTHER = 'not assigned';

export interface SharesByStep {
  /** Share of each step (0 to 1) in the samples in which the thread did something, in the order of the rules. */
  readonly steps: Readonly<Record<string, number>>;
  /** Share of all samples in which the thread waited for events of its loop. */
  readonly waiting: number;
}

/** Clock of profiles and of `Span`. */
export function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

export function readCpuProfile(file: string): CpuProfile {
  return JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
}

/** Returns true if a function of the file was seen. */
export function ran({ nodes }: CpuProfile, file: string): boolean {
  return nodes.some(({ callFrame }) => callFrame.url.endsWith(file));
}

/**
 * Adds up the samples within the span. The innermost frame of a stack that a rule names decides, so helpers belong to
 * the step that called them.
 */
export function sharesByStep(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  rules: readonly StepRule[],
  { from, to }: Span,
): SharesByStep {
  const stepOf = stepsOfNodes(nodes, rules);
  const sums = new Map([...rules.map(({ step }) => [step, 0] as const), [OTHER, 0]]);
  let waiting = 0;
  let busy = 0;
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    if (at < from || at > to) continue;
    const step = stepOf.get(id);
    if (step === undefined) {
      waiting += 1;
    } else {
      busy += 1;
      sums.set(step, (sums.get(step) ?? 0) + 1);
    }
  }
  const steps = Object.fromEntries([...sums].map(([step, sum]) => [step, sum / busy]));
  return { steps, waiting: waiting / (waiting + busy) };
}

/** Step of each node by id; idle ones are absent. */
function stepsOfNodes(nodes: readonly ProfileNode[], rules: readonly StepRule[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const steps = new Map<number, string>();
  const visit = (node: ProfileNode, inherited: string): void => {
    const { callFrame } = node;
    if (callFrame.functionName === '(idle)') return;
    const step = rules.find(({ matches }) => matches(callFrame))?.step ?? inherited;
    steps.set(node.id, step);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) visit(child, step);
    }
  };
  const [root] = nodes;
  if (root !== undefined) visit(root, OTHER);
  return steps;
}
