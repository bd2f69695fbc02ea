import {
  type CreatedShare,
  createShare,
  revoke as revokeShare,
  type ShareState,
  shareStates,
} from '../../../access/share/shares.ts'
import { quote } from '../../../base/text.ts'
import { auditFor, sharesOf } from '../../../compose/access.ts'
import { addressFor } from '../../../compose/address.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { openInBrowser } from '../../output/browser.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { printNextSteps } from '../../output/output.ts'
import { table, visible } from '../../output/text.ts'
import { parseProjectRef, parseSelection, requireSelection } from '../../project-ref.ts'
import { isAddressGiven, runningAddress, warnIfLocal } from '../../service-address.ts'
import { loadSettings } from '../../settings/settings.ts'
import { nameOption } from './name-option.ts'
import { shareUrl } from './share-url.ts'
import { lastUseText, lifetimeOption, validityText } from './validity.ts'

/** `share <workspace/project>` */
export const create: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const lifetimeSeconds = lifetimeOption(args, 'share')
  const name = nameOption(args)
  const kind = hasFlag(args, 'draft') ? 'draft' : 'guide'
  const ref = parseProjectRef(args.operands[0] ?? '')
  const audit = auditFor(settings, io.isTerminal)
  const { share, running, now } = await withExistingStore(settings, async store => {
    const now = store.clock.date()
    return {
      share: unwrap(await createShare(sharesOf(store, audit), { ...ref, kind, name, lifetimeSeconds }, now)),
      running: await runningAddress(store, args, settings),
      now,
    }
  })
  const { id, workspace, project, createdAt, expiresAt } = share
  const service = running ?? addressFor(settings)
  const url = shareUrl(service, share)
  if (hasFlag(args, 'json')) {
    const named = name === undefined ? {} : { name }
    printJson(
      io,
      share.draft ? { id, url, expiresAt } : { id, ...named, workspace, project, url, createdAt, expiresAt },
    )
  } else {
    io.out(`${url}\n`)
    const until = dateText(expiresAt, now)
    const what = share.draft ? `the draft of ${workspace}/${project}` : `${workspace}/${project}`
    io.err(`Opens ${what} until ${until}, or until \`${args.commandLine('share revoke', [id])}\`\n`)
    if (io.isTerminal && running === undefined && !isAddressGiven(args, settings)) {
      io.err('no service of this store is running: start one to open the link\n')
      printNextSteps([{ command: 'serve' }], args, io)
    }
  }
  warnIfLocal(service, args, io)
  if (!hasFlag(args, 'json') && share.openTo !== 'nobody else')
    io.err(`${workspace}/${project} ${NOTES[share.openTo]}\n`)
  if (hasFlag(args, 'open')) await openInBrowser(url, io)
  return 0
}

const NOTES: Readonly<Record<Exclude<CreatedShare['openTo'], 'nobody else'>, string>> = {
  everyone: 'is public: everyone can see it even without this link',
  unpublished: 'is not published: the link will work once it is',
}

/** `share list [workspace[/project]]` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const selection = parseSelection(args.operands[0])
  const { shares, now } = await withExistingStore(settings, async store => {
    await requireSelection(store, selection)
    return { shares: await shareStates(store.database, selection), now: store.clock.date() }
  })
  if (hasFlag(args, 'json')) printJson(io, shares)
  else if (shares.length === 0)
    io.err(args.completeCommands('there is no share link: make one with `housestyle share <workspace/project>`\n'))
  else io.out(table(shares.map(share => shareRow(share, now, io))))
  return 0
}

function shareRow(share: ShareState, now: Date, io: Io): string[] {
  const { id, workspace, project, draft } = share
  return [
    id,
    `${workspace}/${project}${draft ? ' (draft)' : ''}`,
    validityText(share, now, io),
    lastUseText(share),
    visible(share.name ?? ''),
  ]
}

/** `share revoke <id>` */
export const revoke: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const id = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const revoked = await withExistingStore(settings, store =>
    revokeShare(sharesOf(store, audit), id, store.clock.date()),
  )
  if (!revoked)
    throw new CommandFailure('share_unknown', `there is no share link ${quote(id)}: see \`housestyle share list\``)
  if (hasFlag(args, 'json')) printJson(io, revoked)
  else io.out(`${id}: revoked\n`)
  return 0
}
