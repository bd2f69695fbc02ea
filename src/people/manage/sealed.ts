import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { field, parsedJson } from '#platform/base/object.ts'
import type { ManageContext } from './context.ts'

/** Encrypts fields for a browser that brings them back, so that no process stores them. `bound` names who may open them. */
export function seal({ formSecret }: ManageContext, bound: readonly string[], fields: Fields): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(formSecret), nonce).setAAD(bytesOf(bound))
  const parts = [nonce, cipher.update(deflateRawSync(JSON.stringify(fields))), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

/** Reads a field; an absent one is empty. */
export type Field = (name: string) => string
type Fields = Readonly<Record<string, string>>

/** Opens what `seal` made with the same `bound`; undefined for anything else. */
export function unseal({ formSecret }: ManageContext, bound: readonly string[], sealed: string): Field | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(formSecret), bytes.subarray(0, NONCE_BYTES))
    .setAAD(bytesOf(bound))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const packed = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    // Another person's, another page's or an invented one.
    return undefined
  }
  const fields = parsedJson(inflateRawSync(packed).toString())
  return name => `${field(fields, name) ?? ''}`
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

function keyOf(formSecret: Uint8Array): Uint8Array {
  return createHmac('sha256', formSecret).update('sealed').digest()
}

function bytesOf(bound: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(bound))
}
