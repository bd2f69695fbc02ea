import { DatabaseSync } from 'node:sqlite'

/**
 * Erases sessions, connections and their codes from the copy of a catalogue in a SQLite file, and the record of its
 * backup. Their bytes are overwritten, so that no one can read them in the file. Tokens of connections are revoked
 * there, because a token without a row is valid until it expires.
 */
export function eraseSessions(path: string, now: Date): void {
  using database = new DatabaseSync(path)
  database.exec('PRAGMA secure_delete = ON; BEGIN')
  database
    .prepare('UPDATE token SET revoked_at = ?, connection = NULL WHERE connection IS NOT NULL AND revoked_at IS NULL')
    .run(now.getTime())
  database.exec('DELETE FROM authorization_state; DELETE FROM connection; DELETE FROM session')
  database.exec('DELETE FROM unfinished_backup; COMMIT')
}
