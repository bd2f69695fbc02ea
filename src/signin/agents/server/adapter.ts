import { hash } from 'node:crypto'
import { type Adapter, errors, type ModelPayload } from 'oidc-provider'
import {
  consumeState,
  findState,
  limitStates,
  removeState,
  saveState,
} from '../../../store/access/authorization-state.ts'
import type { Database } from '../../../store/database/database.ts'

export type AdapterParts = {
  database: Database
  clock: () => number
  findClient: (id: string) => Promise<ModelPayload | undefined>
  /** Ends a connection, whose code or refresh token was used twice or given back. */
  endConnection: (id: string) => Promise<void>
}

/**
 * Makes the adapters that let `oidc-provider` keep its models in our store. Its sessions and its own access tokens are
 * not kept: our sessions say who is signed in, and clients get tokens of ours.
 */
export function stateAdapters(parts: AdapterParts): (kind: string) => Adapter {
  return kind => {
    if (kind === 'Client') return { ...nothingKept(parts), find: parts.findClient }
    return Object.hasOwn(MAX_RECORDS, kind) ? keptAdapter(parts, kind) : nothingKept(parts)
  }
}

/**
 * The kinds that the store keeps, and the maximum number of each. Anyone can begin an authorization, and a program can
 * sign any number of assertions, so both are limited: the first to expire are deleted.
 */
const MAX_RECORDS: Readonly<Record<string, number>> = {
  Interaction: 10_000,
  ReplayDetection: 100_000,
  Grant: Number.POSITIVE_INFINITY,
  AuthorizationCode: Number.POSITIVE_INFINITY,
  RefreshToken: Number.POSITIVE_INFINITY,
}

function keptAdapter(parts: AdapterParts, kind: string): Adapter {
  const { database, clock } = parts
  const now = () => new Date(clock())
  const keyOf = (id: string) => ({ kind, id: hashedId(id) })
  const max = MAX_RECORDS[kind] ?? 0
  return {
    ...nothingKept(parts),
    upsert: (id, payload, expiresIn) => {
      const connection = kind === 'Grant' ? id : payload.grantId
      const state = {
        ...keyOf(id),
        ...(connection !== undefined && { connection }),
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
      if (state?.connection !== undefined) await parts.endConnection(state.connection)
      throw new errors.InvalidGrant('used twice at once')
    },
    destroy: id => database.transaction(queries => removeState(queries, keyOf(id))),
  }
}

function nothingKept({ endConnection }: Pick<AdapterParts, 'endConnection'>): Adapter {
  const nothing = async () => undefined
  return {
    upsert: nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: endConnection,
  }
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
