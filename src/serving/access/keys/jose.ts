import { once } from '#platform/base/promise.ts'

/** The allowed signature algorithms of tokens (RFC 8725 §3.1). All are asymmetric. Each key is used with only one. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

export type Algorithm = (typeof ALGORITHMS)[number]

/** Loads the library for tokens and keys, once. A module that imported it itself would need its file again. */
export const loadJose: () => Promise<Jose> = once(() => import('jose'))

type Jose = typeof import('jose')

/** The result of work with the library; undefined if it refuses a token, a key or encrypted text. */
export async function unlessRefused<Value>(work: (jose: Jose) => Promise<Value>): Promise<Value | undefined> {
  const jose = await loadJose()
  try {
    return await work(jose)
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) return undefined
    throw error
  }
}
