import type { Conversation, Destination } from '../../../domain/alert-delivery.ts';
import type { SqliteDatabase } from '../database.ts';
import type { WriteContext } from '../write-context.ts';

/** Creates a conversation only if its channel or user still exists. */
export function saveConversation({ db }: WriteContext, conversation: Conversation): boolean {
  const { destination, version, pending, troubleTo } = conversation;
  const values = [
    ...[version, conversation.level, conversation.lastSentAt, conversation.number, conversation.cursor],
    ...[conversation.firstWaiting, conversation.lastWaiting, conversation.notBefore],
    ...[pending === null ? null : JSON.stringify(pending), conversation.heartbeatAt, conversation.failingSince],
    troubleTo === null ? null : JSON.stringify(troubleTo),
  ];
  if (version === 1) {
    const sql = `INSERT INTO alert_conversations (version, level, last_sent_at, number, cursor, first_waiting,
      last_waiting, not_before, pending, heartbeat_at, failing_since, trouble_to, destination)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
    return exists(db, destination) && db.run(sql, ...values, destination) > 0;
  }
  const sql = `UPDATE alert_conversations SET version = ?, level = ?, last_sent_at = ?, number = ?, cursor = ?,
    first_waiting = ?, last_waiting = ?, not_before = ?, pending = ?, heartbeat_at = ?, failing_since = ?,
    trouble_to = ? WHERE destination = ? AND version = ?`;
  return db.run(sql, ...values, destination, version - 1) > 0;
}

function exists(db: SqliteDatabase, destination: Destination): boolean {
  const [kind, id] = destination.split(':');
  const table = kind === 'channel' ? 'alert_channels' : 'users';
  return db.get(`SELECT 1 FROM ${table} WHERE id = ?`, Number(id)) !== undefined;
}

export function removeConversation({ db }: Pick<WriteContext, 'db'>, destination: Destination): void {
  db.run('DELETE FROM alert_conversations WHERE destination = ?', destination);
}
