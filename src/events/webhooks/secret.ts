import { createHmac, randomBytes } from 'node:crypto'
import { decryptKey, EncryptedKeyError, encryptKey } from '../../access/keys/key-encryption.ts'
import { field } from '../../base/object.ts'
import { memoize } from '../../base/text.ts'

/** Makes a secret in the form of Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

const PREFIX = 'whsec_'

/** The secret as the store keeps it: JSON, encrypted if there is a key secret. */
export async function sealSecret(secret: string, keySecret: string | undefined): Promise<string> {
  const text = JSON.stringify({ secret })
  return keySecret === undefined ? text : encryptKey(text, keySecret)
}

/**
 * Makes a function that opens sealed secrets. It opens each one once, because decryption takes a tenth of a second.
 *
 * @throws {EncryptedKeyError} if the key secret is missing or wrong
 */
export function secretOpener(keySecret: string | undefined): (sealed: string) => Promise<string> {
  const opened = memoize(sealed => openSecret(sealed, keySecret), { maxLength: 4096 })
  return opened
}

async function openSecret(sealed: string, keySecret: string | undefined): Promise<string> {
  const text = await decryptKey(sealed, keySecret).catch(error => {
    if (!(error instanceof EncryptedKeyError)) throw error
    throw new EncryptedKeyError(ENCRYPTED, { cause: error })
  })
  const secret = field(JSON.parse(text), 'secret')
  if (typeof secret !== 'string') throw new Error('the store has a webhook without a secret')
  return secret
}

const ENCRYPTED =
  'the secret of the webhook is encrypted: give the --key-secret that it was made with (or HOUSESTYLE_KEY_SECRET, or HOUSESTYLE_KEY_SECRET_FILE)'

/** A message to sign. `timestamp` is in seconds since 1970. */
export type SignedContent = { id: string; timestamp: number; payload: string }

/** The signatures with several secrets, separated by spaces (Standard Webhooks 1.0, "Webhook headers"). */
export function signatures({ id, timestamp, payload }: SignedContent, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${payload}`)
      .digest('base64')
  return secrets.map(secret => `v1,${sign(secret)}`).join(' ')
}
