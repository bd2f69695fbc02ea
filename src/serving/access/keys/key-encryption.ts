import { loadJose } from './jose.ts'

/** Thrown if a signing key or a client secret is encrypted and the secret is missing or wrong. */
export class EncryptedKeyError extends Error {
  readonly code = 'key_encrypted'
}

/** Encrypts a string as a compact JWE (RFC 7516). PBES2 makes weak secrets costly to guess (RFC 7518 §4.8). */
export async function encryptKey(text: string, secret: string): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: 'A256GCM' })
    .setKeyManagementParameters({ p2c: ITERATIONS })
    .encrypt(new TextEncoder().encode(secret))
}

export function isEncrypted(text: string): boolean {
  return !text.startsWith('{')
}

/** Whether a string has the form of those that `encryptKey` returns. */
export function isSealed(text: string): boolean {
  return SEALED.test(text)
}

/** Five parts; the lengths of the encrypted key, the initialization vector and the tag are fixed. */
const SEALED = /^[\w-]+\.[\w-]{54}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/

/** Decrypts a string if it is encrypted. @throws {EncryptedKeyError} if the secret is missing or wrong */
export async function decryptKey(text: string, secret: string | undefined, what = 'signing key'): Promise<string> {
  if (!isEncrypted(text)) return text
  if (secret === undefined) throw new EncryptedKeyError(`the ${what} is encrypted: give --key-secret ${HOW}`)
  const { compactDecrypt, errors } = await loadJose()
  const options = { keyManagementAlgorithms: [ALGORITHM], maxPBES2Count: ITERATIONS }
  try {
    const { plaintext } = await compactDecrypt(text, new TextEncoder().encode(secret), options)
    return new TextDecoder().decode(plaintext)
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    throw new EncryptedKeyError(
      `--key-secret does not decrypt the ${what}: it is wrong, or the ${what} is damaged; give the secret that it was encrypted with ${HOW}`,
      {
        cause: error,
      },
    )
  }
}

const HOW = '(or HOUSESTYLE_KEY_SECRET, or HOUSESTYLE_KEY_SECRET_FILE)'
const ALGORITHM = 'PBES2-HS256+A128KW'
/** The OWASP recommendation for PBKDF2 with HMAC-SHA256. It takes a tenth of a second, once per signing process. */
const ITERATIONS = 600_000
