import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** Encrypts bytes (AES-256-GCM, RFC 5116 §5.2). `bound` names what they are for, and must be the same to open them. */
export function sealBytes(secret: Uint8Array, bound: readonly string[], bytes: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(secret), nonce).setAAD(bytesOf(bound))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Opens what `sealBytes` made with the same secret and the same `bound`; undefined for anything else. */
export function openSealed(secret: Uint8Array, bound: readonly string[], sealed: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(secret), bytes.subarray(0, NONCE_BYTES))
    .setAAD(bytesOf(bound))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return opened
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

function cipherKey(secret: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update('sealed').digest()
}

function bytesOf(bound: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(bound))
}
