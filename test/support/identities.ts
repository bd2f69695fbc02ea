import { SCOPES, type Scope } from '#brand/contract/operations.ts'
import { createClient, updateClient } from '#serving/access/client/clients.ts'
import { keys } from '#serving/access/families.ts'
import { rotateKeys } from '#serving/access/keys/keys.ts'
import { issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import { accessTo, type TemporaryStore } from './temporary-store.ts'

/** The tokens of every kind of identity by name, for a store with the workspaces acme and other. */
export async function identities({ store, issue }: TemporaryStore): Promise<Record<string, string | undefined>> {
  const access = accessTo(store)
  const now = new Date()
  const { token: ofOldKey } = await issue('acme')
  const [old] = await keys.states(store.database)
  await rotateKeys(access, 'ES256', now)
  await keys.end(access, old?.kid ?? '', now)
  const { token: revoked, jti } = await issue('acme')
  await revokeIssued(access, { jti }, now)
  const of = async (wanted: { scopes?: readonly Scope[]; projects?: readonly string[] }, workspace = 'acme') =>
    (await issue(workspace, wanted)).token
  const made = { scopes: ['data.read', 'document.read', 'projects.read'], projects: ['guidelines', 'hidden'] } as const
  const { client_id: client } = await createClient(access, 'acme', { scopes: SCOPES }, now)
  const { token: reduced } = await issueToken(
    access,
    { workspace: 'acme', scopes: SCOPES, lifetimeSeconds: 600, client },
    now,
  )
  const selected = await selectScopes(store.database, { workspace: 'acme', ...made })
  if (!selected.ok) throw new Error(selected.problem)
  await updateClient(access, client, selected.value)
  const none = { workspace: 'acme', scopes: SCOPES, lifetimeSeconds: 600, client: 'cli', projects: [] }
  const full = await of({})
  const single = SCOPES.map(async scope => [`only ${scope}`, await of({ scopes: [scope] })] as const)
  const others = SCOPES.map(async scope => {
    return [`all but ${scope}`, await of({ scopes: SCOPES.filter(each => each !== scope) })] as const
  })
  return {
    'all of acme': full,
    'one project of acme': await of({ projects: ['empty'] }),
    'a draft of acme': await of({ projects: ['hidden'] }),
    'all of other': await of({}, 'other'),
    ...Object.fromEntries(await Promise.all([...single, ...others])),
    'no project of acme': (await issueToken(access, none, now)).token,
    'a client with reduced permissions': reduced,
    'a token of a retired key': ofOldKey,
    'a revoked token': revoked,
    'an expired token': (await issue('acme', { now: new Date(Date.now() - 7_200_000) })).token,
    'a forged token': `${full.slice(0, -20)}${'A'.repeat(20)}`,
    'a malformed token': 'x.y.z',
    'no token': undefined,
  }
}

/**
 * The identities with each reply, keyed by kinds of requests and the reply: kinds with the same replies for the same identities
 * have one entry. `found` has the names of identities, `everyone` for all that were asked for, keyed by a kind without spaces
 * and the reply.
 */
export function byReply(found: ReadonlyMap<string, readonly string[]>, count: (kind: string) => number) {
  const kinds = Map.groupBy(found, ([label, names]) => {
    const [kind = '', ...reply] = label.split(' ')
    return JSON.stringify([reply.join(' '), names.length === count(kind) ? 'everyone' : names.join(', ')])
  })
  return Object.fromEntries(
    Array.from(kinds, ([key, entries]) => {
      const [reply, names]: [string, string] = JSON.parse(key)
      return [`${entries.map(([label]) => label.split(' ')[0]).join(' ')} ${reply}`, names]
    }),
  )
}
