import { loadJose } from '../../../access/keys/jose.ts'
/** The tokens that an issuer gave for a person. */
export type IssuerTokens = {
  /** Ends the person's session at the issuer. */
  idToken: string
  /** Reads the person's groups again; absent if the issuer gave none. */
  refreshToken?: string
}

/** Encrypts the tokens for the store. */
export async function sealIssuerTokens(tokens: IssuerTokens, key: Uint8Array): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  const text = new TextEncoder().encode(JSON.stringify(tokens))
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypts tokens from the store; undefined if they were encrypted with another key secret. */
export async function openIssuerTokens(sealed: string, key: Uint8Array): Promise<IssuerTokens | undefined> {
  const { compactDecrypt, errors } = await loadJose()
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  try {
    const { plaintext } = await compactDecrypt(sealed, key, options)
    return JSON.parse(new TextDecoder().decode(plaintext))
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
