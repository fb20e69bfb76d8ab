import { AppError } from '../../domain/app-error.ts';

/** What to do about a store that could not be opened or looked at. `shared`: it is a server, no file. */
export function storeAdvice(error: unknown, shared: boolean): string {
  switch (error instanceof AppError ? error.code : null) {
    case 'store_unavailable':
      return shared
        ? 'start the database, or correct ERRGATE_STORE_URL or the network; until then gateways accept events of known keys; they resume by themselves'
        : 'see whether another program holds the file, and whether its disk answers';
    case 'invalid_configuration':
      return 'correct ERRGATE_STORE_URL; docs/operations.md, "Choosing a store", shows its forms';
    case 'store_outdated':
      return shared
        ? 'stop all gateways, run `errgate migrate`, start them'
        : 'start the service, or run `errgate migrate`';
    case 'store_too_new':
      return 'install the errgate that wrote it, or a newer one';
    case 'conflict':
      return 'complete the copy: run the same `errgate copy-store` again';
    default:
      return shared
        ? 'see the log of the database; docs/operations.md, "Backup with MongoDB"'
        : 'see docs/operations.md, "Backup and restore"';
  }
}
