import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { findLiveSession, SESSIONS, type SessionRecord } from '#store/access/sessions.ts'
import type { Queries } from '#store/database/database.ts'

/** The session of a code, the host and the workspace that it is for, and the end of the session in milliseconds. */
export type Handover = { id: string; secret: string; host: string; workspace: string; endsMs: number }

/** The time in which the browser must follow the redirect to the host. */
export const HANDOVER_MS = 60_000

/** The code with which a browser takes a session over at its host. */
export function handoverCode(key: Uint8Array, { id, secret, host, workspace, endsMs }: Handover): string {
  const mac = createHmac('sha256', key).update(`handover ${JSON.stringify([host, workspace, id, secret, endsMs])}`)
  return `${id}.${secret}.${endsMs}.${mac.digest('base64url')}`
}

/** Reads a code that this service made for this host and workspace; undefined for any other text. */
export function readHandover(
  key: Uint8Array,
  code: string,
  at: Pick<Handover, 'host' | 'workspace'>,
): Handover | undefined {
  const [id = '', secret = '', ends = ''] = code.split('.', 3)
  const given = { ...at, id, secret, endsMs: Number(ends) }
  return equalsInConstantTime(code, handoverCode(key, given)) ? given : undefined
}

/**
 * Replaces the secret of a session from its code with the secret of a cookie, inside a transaction. Undefined if the
 * session has ended, or if its code was used already, which also replaced the secret.
 */
export async function takeSession(
  queries: Queries,
  { id, endsMs }: Handover,
  hashes: { ofCode: string; ofCookie: string },
  use: Pick<SessionRecord, 'browser'> & { usedAt: Date },
): Promise<SessionRecord | undefined> {
  const session = await findLiveSession(queries, id, use.usedAt)
  const changes = { secretHash: hashes.ofCookie, expiresAt: new Date(endsMs), ...use }
  const where = 'WHERE id = ? AND secret_hash = ?'
  const isTaken = session && (await SESSIONS.set(queries, changes, where, id, hashes.ofCode)) > 0
  return isTaken ? { ...session, ...changes } : undefined
}
