import type { ProjectRef } from '#brand/ids.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { CLIENTS, listClients, removeClient } from '#store/access/clients.ts'
import { CONNECTIONS, endLiveConnection, listLiveConnections } from '#store/access/connections.ts'
import { listLiveSessions, SESSIONS } from '#store/access/sessions.ts'
import { listShares, revokeShare, SHARES } from '#store/access/shares.ts'
import { retireSigningKey } from '#store/access/signing-keys.ts'
import { listTokens, TOKENS } from '#store/access/tokens.ts'
import type { Queries } from '#store/database/database.ts'
import type { StateOf } from '#store/database/table.ts'
import { DamagedRow } from '#store/store-error.ts'
import { type AccessContext, changeAccess } from './context.ts'
import { type KeyState, keyStates } from './keys/keys.ts'
import { endsAfter } from './session/session-uses.ts'
import { removeSignin, type SigninState, signinStates } from './session/signins.ts'

/** Items with the same life: they are made, listed, perhaps used, and end at once in every process. */
export type Family<State, Ended extends object = State & object> = {
  /** The items of a workspace or a project, or all, as commands print them with `--json`. */
  states: (queries: Queries, of: Partial<ProjectRef>, at: ListedAt) => Promise<State[]>
  /** Ends an item and what depends on it. Returns what commands print then; undefined if there is none with this id. */
  end: (access: AccessContext, id: string, now: Date) => Promise<Ended | undefined>
}

type ListedAt = { now: Date; settings: Pick<Settings, 'sessionIdle'> }

export const MAX_NAME = 1000

/** All issued tokens that the store still has. A revoked one stays: see `revokeIssued`. */
export const tokens: Pick<Family<StateOf<typeof TOKENS>>, 'states'> = {
  states: async (queries, of) => (await listTokens(queries, of)).map(TOKENS.stateOf),
}

/** Clients, whose tokens end with them. */
export const clients = {
  states: async (queries, of) => (await listClients(queries, of)).map(CLIENTS.stateOf),
  end: ending(
    removeClient,
    (_, client) => ({ event: 'client-deleted', client }),
    (_, client_id) => ({ client_id, done: true }),
  ),
} satisfies Family<StateOf<typeof CLIENTS>, object>

/** Share links, whose cookies end with them. A revoked one stays. */
export const shares = {
  states: async (queries, of) => (await listShares(queries, of)).map(SHARES.stateOf),
  end: ending(
    revokeShare,
    (link, share) => ({ event: 'share-revoked', share, workspace: link?.workspace, project: link?.project }),
    SHARES.stateOf,
  ),
} satisfies Family<StateOf<typeof SHARES>, object>

export const connections = {
  states: async (queries, of, { now }) => (await listLiveConnections(queries, now, of)).map(CONNECTIONS.stateOf),
  end: ending(
    endLiveConnection,
    (ended, connection) => ({
      event: 'connection-ended',
      reason: 'operator',
      connection,
      workspace: ended?.workspace,
      client: ended?.client,
      subject: ended?.subject,
    }),
    (_, id) => ({ id, done: true }),
  ),
} satisfies Family<StateOf<typeof CONNECTIONS>, object>

/** Signing keys, whose tokens end with them. A retired one stays. */
export const keys = {
  states: keyStates,
  end: ending(
    retireSigningKey,
    (_, kid) => ({ event: 'key-retired', kid }),
    (_, kid) => ({ kid, done: true }),
  ),
} satisfies Family<KeyState, object>

/** The settings of issuers, with which the sessions of their people end. */
export const signins = { states: signinStates, end: removeSignin } satisfies Family<SigninState, object>

/** The live sessions of people. Those of a person end together: see `endSessions`. */
export const sessions: Pick<Family<StateOf<typeof SESSIONS>>, 'states'> = {
  states: async (queries, of, { now, settings }) =>
    (await listLiveSessions(queries, now, endsAfter(settings.sessionIdle), of)).map(SESSIONS.stateOf),
}

/** Makes the end of a family. An item with a damaged row ends too, but only its id is known. */
function ending<Ended, Printed extends object>(
  end: (queries: Queries, id: string, now: Date) => Promise<Ended | DamagedRow | false | undefined>,
  eventOf: (ended: Ended | undefined, id: string) => AccessEvent,
  print: (ended: Ended, id: string) => Printed,
) {
  return async (access: AccessContext, id: string, now: Date): Promise<Printed | Done | undefined> => {
    const ended = await changeAccess(
      access,
      queries => end(queries, id, now),
      item => eventOf(item instanceof DamagedRow ? undefined : item, id),
    )
    return ended instanceof DamagedRow ? { id, done: true } : ended && print(ended, id)
  }
}

type Done = { id: string; done: true }
