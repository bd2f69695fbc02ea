import { endSessions, type SessionState, sessionStates } from '../../../access/session/signins.ts'
import { pluralize, quote } from '../../../base/text.ts'
import { auditFor } from '../../../compose/access.ts'
import { signinsOf } from '../../../compose/signin.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { type Arguments, hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `signin sessions <workspace>` */
export const sessions: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const workspace = args.operands[0] ?? ''
  const { states, now } = await withExistingStore(settings, async store => {
    await requireSelection(store, { workspace })
    const now = store.clock.date()
    return { states: await sessionStates(store.database, workspace, now), now }
  })
  if (hasFlag(args, 'json')) printJson(io, states)
  else if (states.length === 0) io.err(`no one is signed in to ${workspace}\n`)
  else io.out(table(states.map(state => sessionRow(state, now))))
  return 0
}

function sessionRow({ id, name, email, projects, drafts, expiresAt }: SessionState, now: Date): string[] {
  return [
    id,
    visible(email ?? ''),
    visible(name ?? ''),
    projects?.join(',') ?? 'all projects',
    drafts ? 'drafts too' : '',
    `until ${dateText(expiresAt, now)}`,
  ]
}

/** `signin end [person]`, or `signin end --all` */
export const end: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const of = endedBy(args)
  const audit = auditFor(settings, io.isTerminal)
  const ended = await withExistingStore(settings, store =>
    endSessions(signinsOf(settings, store, audit), of, store.clock.date()),
  )
  const { sessions, connections } = ended
  if (of !== 'all' && sessions + connections === 0)
    throw new CommandFailure(
      'session_unknown',
      `${quote(args.operands[0] ?? '')} is not signed in: see \`housestyle signin sessions <workspace>\``,
    )
  if (hasFlag(args, 'json')) printJson(io, { endedSessions: sessions, endedConnections: connections })
  else io.out(`${pluralize(sessions, 'session')} and ${pluralize(connections, 'connection')} ended\n`)
  return 0
}

function endedBy(args: Arguments): Parameters<typeof endSessions>[1] {
  const [person] = args.operands
  if (hasFlag(args, 'all') === (person !== undefined))
    throw new CommandFailure('usage', 'name a person by e-mail address or session id, or give --all')
  if (person === undefined) return 'all'
  return person.includes('@') ? { email: person.toLowerCase() } : { id: person }
}
