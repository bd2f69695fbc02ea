import { type ConnectionState, connectionStates, endConnection } from '../../../access/client/connections.ts'
import { quote } from '../../../base/text.ts'
import { auditFor } from '../../../compose/access.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `connection list <workspace>` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const workspace = args.operands[0] ?? ''
  const { connections, now } = await withExistingStore(settings, async store => {
    await requireSelection(store, { workspace })
    const date = store.clock.date()
    return { connections: await connectionStates(store.database, workspace, date), now: date }
  })
  if (hasFlag(args, 'json')) printJson(io, connections)
  else if (connections.length === 0)
    io.err('there is no connection: a person makes one by connecting a program to an address for agents\n')
  else io.out(table(connections.map(each => connectionRow(each, now))))
  return 0
}

function connectionRow(connection: ConnectionState, now: Date): string[] {
  const { id, client, name, email, share, projects, expiresAt, lastUsedAt } = connection
  return [
    id,
    visible(name === undefined ? client : `${name} (${client})`),
    visible(email ?? (share === null ? 'a person' : `share link ${share}`)),
    projects?.join(',') ?? 'all projects',
    `until ${dateText(expiresAt, now)}`,
    lastUsedAt === null ? 'never used' : `used ${dateText(lastUsedAt, now)}`,
  ]
}

/** `connection end <id>` */
export const end: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const id = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const isEnded = await withExistingStore(settings, store =>
    endConnection(store.database, audit, id, store.clock.date()),
  )
  if (!isEnded) {
    const message = `there is no live connection ${quote(id)}: see \`housestyle connection list\``
    throw new CommandFailure('connection_unknown', message)
  }
  if (hasFlag(args, 'json')) printJson(io, { id, done: true })
  else io.out(`${id}: ended, and its tokens with it\n`)
  return 0
}
