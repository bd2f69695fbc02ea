import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { examplePath } from '#brand/contract/guide.ts'
import type { ReplyExamples } from '#brand/contract/openapi.ts'
import { API_PATH, OPERATIONS } from '#brand/contract/operations.ts'
import { EXAMPLE_URL } from '#brand/contract/schemas.ts'
import { openMediaReader } from '#intake/media/media.ts'
import { unwrap } from '#program/cli/failure.ts'
import { importFolder } from '#publishing/import/import.ts'
import { publishAll } from '#publishing/publish.ts'
import { issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { openStore, type Store } from '#store/store.ts'
import { type TestService, type TestSettings, testService } from './service.ts'
import { removeFolder } from './temporary.ts'
import { accessTo } from './temporary-store.ts'

const ACME = fileURLToPath(new URL('../../examples/acme/', import.meta.url))
const IMPORTED = new Date('2026-03-02T09:30:00.000Z')
const PUBLISHED = new Date('2026-11-12T14:05:21.480Z')

/** A service of the example brand, and a token with full access to it. */
export type AcmeService = TestService & { store: Store; token: string }

/**
 * Serves `examples/acme` at the address in the documentation until the work is done. Dates and the secret for file
 * addresses, which differ between stores, are fixed, so replies never change.
 */
export async function withAcme<Value>(work: (acme: AcmeService) => Promise<Value>, settings: TestSettings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  const opened = await openStore(join(folder, '.data'))
  const store: Store = { ...opened, identity: { ...opened.identity, fileSecret: new Uint8Array(32) } }
  try {
    await publishAcme(store)
    const all = { publicUrl: EXAMPLE_URL, rate: { requests: 600, seconds: 60 }, ...settings }
    const service = await testService({ store }, all, PUBLISHED.getTime())
    return await work({ ...service, store, token: await tokenFor(store, all.publicUrl) })
  } finally {
    await opened.close()
    await removeFolder(folder)
  }
}

/** The replies to each operation, for the ids in the documentation. */
export function acmeExamples(): Promise<ReplyExamples> {
  return withAcme(async ({ service, token }) => {
    const examples: Record<string, unknown> = {}
    for (const { id, path } of OPERATIONS) {
      const headers = { authorization: `Bearer ${token}` }
      const target = { method: 'GET', path: `${API_PATH}${examplePath(path)}`, query: '' }
      const { status, body } = await service({ ...target, headers, authorizations: 1, address: '127.0.0.1' })
      if (status !== 200 || !(body instanceof Uint8Array)) throw new Error(`${id} is answered ${status}`)
      examples[id] = JSON.parse(new TextDecoder().decode(body))
    }
    return examples
  })
}

async function publishAcme(store: Store): Promise<void> {
  const media = openMediaReader()
  try {
    const imported = await importFolder(store, ACME, {
      media,
      caps: { maxFile: 1 << 30, maxItems: 10_000 },
      isDryRun: false,
      signal: new AbortController().signal,
      progress: () => undefined,
      now: () => IMPORTED,
    })
    const refs = imported.projects.map(({ project }) => ({ workspace: 'acme', project }))
    unwrap(await publishAll(store, refs, {}, PUBLISHED))
  } finally {
    await media.close()
  }
}

async function tokenFor(store: Store, publicUrl: string): Promise<string> {
  const selected = await selectScopes(store.database, { workspace: 'acme', scopes: [], projects: [] })
  if (!selected.ok) throw new Error(selected.problem)
  const issuer = accessTo(store, { publicUrl })
  const request = { ...selected.value, lifetimeSeconds: 3600, client: 'cli' }
  return (await issueToken(issuer, request, PUBLISHED)).token
}
