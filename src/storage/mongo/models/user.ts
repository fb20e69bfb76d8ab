import { defineSchema } from './define-schema.ts';

export interface UserDocument {
  readonly _id: number;
  readonly username: string;
  /** The username in lower case: names are unique without regard to case. */
  readonly lower: string;
  readonly name: string;
  readonly admin: boolean;
  readonly blocked: boolean;
  readonly passwordHash: string;
  /** Counts up whenever all sessions of the person end. */
  readonly sessionEpoch: number;
  readonly mustChangePassword: boolean;
  readonly createdAt: number;
}

export const userSchema = defineSchema<UserDocument>(
  'users',
  {
    _id: Number,
    username: String,
    lower: String,
    name: String,
    admin: Boolean,
    blocked: Boolean,
    passwordHash: String,
    sessionEpoch: Number,
    mustChangePassword: Boolean,
    createdAt: Number,
  },
  [{ name: 'by_name', key: { lower: 1 }, unique: true }],
);
