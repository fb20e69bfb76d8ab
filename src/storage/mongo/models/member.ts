import type { AccessLevel } from '../../../domain/account.ts';
import { defineSchema } from './define-schema.ts';

export interface MemberDocument {
  /** `memberKey(projectId, userId)`. */
  readonly _id: string;
  readonly projectId: number;
  readonly userId: number;
  readonly accessLevel: AccessLevel;
}

export function memberKey(projectId: number, userId: number): string {
  return `${projectId}/${userId}`;
}

export const memberSchema = defineSchema<MemberDocument>(
  'members',
  { _id: String, projectId: Number, userId: Number, accessLevel: Number },
  [
    { name: 'of_project', key: { projectId: 1, userId: 1 } },
    { name: 'of_user', key: { userId: 1, projectId: 1 } },
  ],
);
