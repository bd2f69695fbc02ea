import { type Io, paint } from './io.ts'

/** Until when a token or share link holds, or since when it does no longer; the times are ISO 8601. */
export function validityText(
  { expiresAt, revokedAt }: { expiresAt: string; revokedAt: string | null },
  io: Io,
): string {
  const isOver = revokedAt !== null || new Date(expiresAt) <= new Date()
  const text = revokedAt !== null ? `revoked ${revokedAt}` : `${isOver ? 'expired' : 'until'} ${expiresAt}`
  return paint(io.hasColor.out, isOver ? 'gray' : 'green', text)
}
