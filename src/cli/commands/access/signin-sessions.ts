import { sessions as family } from '../../../access/families.ts'
import { endSessions, type People } from '../../../access/session/signins.ts'
import { pluralize, quote } from '../../../base/text.ts'
import { type Arguments, hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { visible } from '../../output/text.ts'
import { listCommand, withAccess } from './family.ts'

/** `signin sessions <workspace>` */
export const sessions = listCommand(family, {
  rowOf: ({ id, name, email, projects, drafts, expiresAt }, now) => [
    id,
    visible(email ?? ''),
    visible(name ?? ''),
    projects?.join(',') ?? 'all projects',
    drafts ? 'drafts too' : '',
    `until ${dateText(expiresAt, now)}`,
  ],
  none: ({ workspace }) => `no one is signed in to ${workspace}`,
})

/** `signin end [person]`, or `signin end --all` */
export const end: Run = async (args, io) => {
  const people = peopleOption(args)
  return withAccess(args, io, async ({ access, now }) => {
    const { sessions, connections } = await endSessions(access, people, now)
    if (people !== 'all' && sessions + connections === 0)
      throw new CommandFailure(
        'session_unknown',
        `${quote(args.operands[0] ?? '')} is not signed in: see \`housestyle signin sessions <workspace>\``,
      )
    return {
      json: { endedSessions: sessions, endedConnections: connections },
      text: `${pluralize(sessions, 'session')} and ${pluralize(connections, 'connection')} ended\n`,
    }
  })
}

function peopleOption(args: Arguments): People {
  const [person] = args.operands
  if (hasFlag(args, 'all') === (person !== undefined))
    throw new CommandFailure('usage', 'name a person by e-mail address or session id, or give --all')
  if (person === undefined) return 'all'
  return person.includes('@') ? { email: person.toLowerCase() } : { id: person }
}
