import { hash } from 'node:crypto'
import { type Adapter, errors, Provider } from 'oidc-provider'
import { withoutUndefined } from '#base/object.ts'
import { consumeState, findState, limitStates, removeState, saveState } from '#store/access/authorization-state.ts'
import { findClient } from '#store/access/clients.ts'
import type { SigninContext } from '../../context.ts'

type StateContext = Pick<SigninContext, 'database' | 'clock' | 'endConnection'>

/**
 * Makes the adapters that let `oidc-provider` keep its models in our store. Its sessions and its own access tokens are
 * not kept: our sessions say who is signed in, and clients get tokens of ours.
 */
export function stateAdapters(context: StateContext): (kind: string) => Adapter {
  return kind => {
    if (kind === 'Client') return { ...nothingKept(context), find: id => registeredClient(context, id) }
    return Object.hasOwn(MAX_RECORDS, kind) ? keptAdapter(context, kind) : nothingKept(context)
  }
}

/** The kinds that are kept, and how many. Anyone can create the first two, so the first to expire are deleted. */
const MAX_RECORDS: Readonly<Record<string, number>> = {
  Interaction: 10_000,
  ReplayDetection: 100_000,
  Grant: Number.POSITIVE_INFINITY,
  AuthorizationCode: Number.POSITIVE_INFINITY,
  RefreshToken: Number.POSITIVE_INFINITY,
}

function keptAdapter(context: StateContext, kind: string): Adapter {
  const { database, clock } = context
  const now = () => new Date(clock())
  const keyOf = (id: string) => ({ kind, id: hashedId(id) })
  const max = MAX_RECORDS[kind] ?? 0
  return {
    ...nothingKept(context),
    upsert: (id, payload, expiresIn) => {
      const connection = kind === 'Grant' ? id : payload.grantId
      const state = {
        ...keyOf(id),
        ...withoutUndefined({ connection }),
        payload: withoutId(JSON.stringify(payload), id),
        expiresAt: new Date(clock() + expiresIn * 1000),
      }
      return database.transaction(
        async queries => {
          await saveState(queries, state, now())
          if (Number.isFinite(max)) await limitStates(queries, kind, max)
        },
        { durable: Number.isFinite(max) === false },
      )
    },
    find: async id => {
      const state = await findState(database, keyOf(id), now())
      if (!state) return undefined
      const consumed = state.consumedAt && { consumed: Math.floor(state.consumedAt.getTime() / 1000) }
      return { ...JSON.parse(withId(state.payload, id)), ...consumed }
    },
    consume: async id => {
      const key = keyOf(id)
      const isFirst = await database.transaction(queries => consumeState(queries, key, now()))
      if (isFirst) return
      const state = await findState(database, key, now())
      if (state?.connection !== undefined) await context.endConnection(state.connection, 'used-twice')
      throw new errors.InvalidGrant('used twice at once')
    },
    destroy: id => database.transaction(queries => removeState(queries, keyOf(id))),
  }
}

function nothingKept({ endConnection }: StateContext): Adapter {
  const nothing = async () => undefined
  return {
    upsert: nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: id => endConnection(id, isRevocation() ? 'program-revoked' : 'used-twice'),
  }
}

/** Whether the program itself asks to end its connection. The library otherwise ends one whose code or token is used twice. */
function isRevocation(): boolean {
  return Provider.ctx?.req.url?.split('?', 1)[0]?.endsWith('/oauth/revoke') === true
}

/** A program that an operator registered for people; undefined for a client with a secret. */
async function registeredClient({ database }: StateContext, id: string) {
  const client = await findClient(database, id)
  if (!client?.redirectUris) return undefined
  const { name, redirectUris } = client
  return { client_id: id, ...withoutUndefined({ client_name: name }), redirect_uris: redirectUris }
}

/** Ids are codes and tokens, which a reader of the database or of a backup must not be able to use. */
function hashedId(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** Replaces the id by a mark, which JSON never contains unescaped. */
function withoutId(json: string, id: string): string {
  return json.replaceAll(id, ID_MARK)
}

function withId(json: string, id: string): string {
  return json.replaceAll(ID_MARK, id)
}

const ID_MARK = '\u0001'
