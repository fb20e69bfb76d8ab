import type { ClientKey } from '../../api/keys-api.ts';
import { parseStoredList, readStored, writeStored } from '../../lib/stored.ts';

/** Replacement of a key by another one, with the step reached. */
export interface Rotation {
  readonly old: number;
  readonly fresh: number;
  readonly step: 2 | 3;
}

const storageKey = (project: string): string => `errgate.rotations.${project}`;

function isRotation(value: unknown): value is Rotation {
  const { old, fresh, step } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Rotation>;
  return typeof old === 'number' && typeof fresh === 'number' && (step === 2 || step === 3);
}

const stored = (project: string): Rotation[] => parseStoredList(readStored(storageKey(project)), isRotation);

/** Rotations whose old and new keys are both active. */
export function underWay(rotations: readonly Rotation[], keys: readonly ClientKey[]): Rotation[] {
  const mayUse = (id: number) => keys.some((key) => key.id === id && key.active);
  return rotations.filter(({ old, fresh }) => mayUse(old) && mayUse(fresh));
}

/** Rotations of a project that this browser started. Finished ones are removed from storage. */
export function rotationsOf(project: string, keys: readonly ClientKey[]): Rotation[] {
  const known = stored(project);
  const live = underWay(known, keys);
  if (live.length < known.length) writeStored(storageKey(project), JSON.stringify(live));
  return live;
}

/** Stores a rotation, because distributing a new DSN can take longer than a visit. */
export function rememberRotation(project: string, rotation: Rotation): void {
  const others = stored(project).filter(({ old }) => old !== rotation.old);
  writeStored(storageKey(project), JSON.stringify([...others, rotation]));
}
