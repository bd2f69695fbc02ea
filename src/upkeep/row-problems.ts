import { errorMessage } from '../base/error.ts'
import { listClients } from '../store/access/clients.ts'
import { listShares } from '../store/access/shares.ts'
import { listSigningKeys } from '../store/access/signing-keys.ts'
import { listSignins } from '../store/access/signins.ts'
import { listTokens } from '../store/access/tokens.ts'
import { listLogos, listProjects, listWorkspaces } from '../store/catalogue/catalogue.ts'
import { listReferences } from '../store/catalogue/references.ts'
import { listWebhooks } from '../store/catalogue/webhooks.ts'
import type { Queries } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Finds tables with an invalid id or JSON, or with a value of another type. */
export async function rowProblems(queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [table, read] of READERS)
    try {
      await read(queries)
    } catch (error) {
      problems.push({
        check: 'database',
        subject: `the table ${table}`,
        message: `has a row that cannot be read: ${errorMessage(error)}`,
        fix: 'restore the store from a backup',
      })
    }
  return problems
}

const READERS: readonly (readonly [table: string, read: (queries: Queries) => Promise<unknown>])[] = [
  ['workspace', listWorkspaces],
  ['workspace', listLogos],
  ['project', listReadable],
  ['client', listClients],
  ['token', listTokens],
  ['share', listShares],
  ['signing_key', listSigningKeys],
  ['signin', listSignins],
  ['webhook', listWebhooks],
]

/** Reads projects, unless a pointer dangles: that is reported for the pointer. */
async function listReadable(queries: Queries): Promise<void> {
  const references = await listReferences(queries)
  if (references.every(({ snapshot }) => snapshot)) await listProjects(queries)
}
