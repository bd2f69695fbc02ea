import { createHash } from 'node:crypto'

/** The files of each workspace: texts of one length. */
export const FILES = 100

export function bodyOf(at: number): Uint8Array {
  return Buffer.from(`File ${String(at).padStart(6, '0')}.\n`)
}

export function hashOf(at: number): string {
  return createHash('sha256').update(bodyOf(at)).digest('hex')
}
