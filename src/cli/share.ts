import { type CreatedShare, createShare } from '../access/share/shares.ts'
import { auditFor, sharesOf } from '../compose/access.ts'
import { withStore } from '../compose/store.ts'
import { addressFor } from '../compose.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { lifetimeOf } from './lifetime.ts'
import { parseProjectRef } from './place.ts'
import { settingsOf } from './settings.ts'

/** `share <w/p>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const lifetimeSeconds = lifetimeOf(args, 'share')
  const place = parseProjectRef(args.operands[0] ?? '')
  const record = await auditFor(settings, io.isTerminal)
  const created = await withStore(settings, store =>
    createShare(sharesOf(store, record), place, lifetimeSeconds, new Date()),
  )
  if (!created.ok) throw new CommandFailure(created.problem.code, created.problem.message)
  const { linkSecret, openTo, ...share } = created.value
  const { id, workspace, project, createdAt, expiresAt } = share
  const url = `${addressFor(settings)}/${workspace}/${project}/-/share/${linkSecret}`
  if (isGiven(args, 'json')) {
    printJson(io, { id, workspace, project, url, createdAt, expiresAt })
    return 0
  }
  io.out(`${url}\n`)
  io.err(`Opens ${workspace}/${project} until ${expiresAt}, or until housestyle share revoke ${id}\n`)
  if (openTo !== 'nobody else') io.err(`${workspace}/${project} ${NOTES[openTo]}\n`)
  return 0
}

const NOTES: Readonly<Record<Exclude<CreatedShare['openTo'], 'nobody else'>, string>> = {
  everyone: 'is public: everyone may see it without this link too',
  unpublished: 'is not published: the link opens nothing until it is',
}
