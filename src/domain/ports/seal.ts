/** Encryption of texts with the secret key. A text opens only for the owner it was sealed for. */
export interface Seal {
  /** Throws `invalid_configuration` without a secret key. */
  seal(text: string, ownerId: number): string;
  /** Null for a modified text, and for one of another owner or of a key that is gone. */
  open(sealed: string, ownerId: number): string | null;
}
