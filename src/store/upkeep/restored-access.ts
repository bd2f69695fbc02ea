import type { Queries } from '../database/database.ts'
import { readTexts } from '../database/table.ts'

/** Whatever gives access in a restored store, by id: also what was revoked or removed after the backup. */
export type RestoredAccess = Record<keyof typeof VALID, string[]>

const VALID = {
  tokens: 'SELECT jti FROM token WHERE revoked_at IS NULL AND expires_at > ? ORDER BY jti',
  shares: 'SELECT id FROM share WHERE revoked_at IS NULL AND expires_at > ? ORDER BY id',
  clients: 'SELECT id FROM client WHERE deleted_at IS NULL AND created_at <= ? ORDER BY id',
  issuers: 'SELECT id FROM signin WHERE created_at <= ? ORDER BY id',
  keys: 'SELECT kid FROM signing_key WHERE retired_at IS NULL AND created_at <= ? ORDER BY kid',
}

export async function restoredAccess(queries: Queries, now: Date): Promise<RestoredAccess> {
  const list = (kind: keyof typeof VALID) => readTexts(queries, VALID[kind], now.getTime())
  return {
    tokens: await list('tokens'),
    shares: await list('shares'),
    clients: await list('clients'),
    issuers: await list('issuers'),
    keys: await list('keys'),
  }
}
