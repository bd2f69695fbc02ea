import type { Database } from '../../store/database/database.ts'
import { DamagedContent, replaceKeyFix } from '../../store/store-error.ts'
import { checkedPrivateKey, checkWithoutSecret } from './checked-key.ts'
import { EncryptedKeyError } from './key-encryption.ts'
import { currentKeys } from './signing.ts'

/** A damaged signing key, as `doctor` prints it. */
type KeyProblem = { check: 'key'; subject: string; message: string; fix: string }

/** Tries each signing key in use. Without the secret, it checks only the public parts of encrypted keys. */
export async function keyProblems(database: Database, secret: string | undefined): Promise<KeyProblem[]> {
  const problems: KeyProblem[] = []
  for (const record of await currentKeys(database)) {
    const { kid } = record
    try {
      await (secret === undefined ? checkWithoutSecret(record) : checkedPrivateKey(record, secret))
    } catch (error) {
      if (!(error instanceof DamagedContent || error instanceof EncryptedKeyError)) throw error
      const message =
        error instanceof DamagedContent ? DAMAGED : `is damaged, unless the secret is wrong: ${error.message}`
      problems.push({ check: 'key', subject: `the signing key ${kid}`, message, fix: replaceKeyFix(kid) })
    }
  }
  return problems
}

const DAMAGED = 'is damaged: a part cannot be read, or its parts, id and algorithm do not belong together'
