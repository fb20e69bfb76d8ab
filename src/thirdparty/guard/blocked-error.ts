/**
 * What is wrong with an address: its `form`; its `port`; that it is `local`; that the operator did not list it where
 * only listed ones may be asked (`unlisted`); that it is a cloud's `metadata` service, which nothing lets through; or
 * that nobody knows where it leads (`unresolvable`).
 */
export type BlockKind = 'form' | 'port' | 'local' | 'unlisted' | 'metadata' | 'unresolvable';

/** `message` is the whole sentence, `URL is blocked: …`; `code` tells Node's network layer that this is final. */
export class BlockedError extends Error {
  readonly code = 'ERR_URL_BLOCKED';
  readonly reason: string;
  readonly kind: BlockKind;

  constructor(reason: string, kind: BlockKind) {
    super(`URL is blocked: ${reason}`);
    this.name = 'BlockedError';
    this.reason = reason;
    this.kind = kind;
  }
}

/** What can be done about it, to stand behind a semicolon. `host` as an entry of the allow-list names it. */
export function blockCure(kind: BlockKind, host: string): string {
  switch (kind) {
    case 'local':
      return `if the tracker is there, an operator allows it: ERRGATE_OUTBOUND_ALLOW=${host}`;
    case 'port':
      return `an operator allows this port: ERRGATE_OUTBOUND_ALLOW=${host}`;
    case 'unlisted':
      return `this installation asks only what its operator lists (outbound.onlyAllowed): ERRGATE_OUTBOUND_ALLOW=${host}`;
    case 'metadata':
      return 'it leads to the metadata service of a cloud, which is always refused: enter the address of the tracker';
    case 'form':
    case 'unresolvable':
      return 'correct the address of the tracker';
  }
}
