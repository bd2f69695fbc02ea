import { connections } from '../../../access/families.ts'
import { quote } from '../../../base/text.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { visible } from '../../output/text.ts'
import { endCommand, listCommand } from './family.ts'

/** `connection list <workspace>` */
export const list = listCommand(connections, {
  rowOf: ({ id, client, name, email, share, projects, expiresAt, lastUsedAt }, now) => [
    id,
    visible(name === undefined ? client : `${name} (${client})`),
    visible(email ?? (share === null ? 'a person' : `share link ${share}`)),
    projects?.join(',') ?? 'all projects',
    `until ${dateText(expiresAt, now)}`,
    lastUsedAt === null ? 'never used' : `used ${dateText(lastUsedAt, now)}`,
  ],
  none: 'there is no connection: a person makes one by connecting a program to an address for agents',
})

/** `connection end <id>` */
export const end = endCommand(connections, {
  unknown: id =>
    new CommandFailure(
      'connection_unknown',
      `there is no live connection ${quote(id)}: see \`housestyle connection list\``,
    ),
  done: 'ended, and its tokens with it',
})
