import { placeText } from '#brand/ids.ts'
import { quote } from '#platform/base/text.ts'
import { shares } from '#serving/access/families.ts'
import { type CreatedShare, createShare, shareUrl } from '#serving/access/share/shares.ts'
import { addressesFor, addressFor } from '../../../compose/address.ts'
import { type Arguments, hasFlag, type Io, operand, type Run } from '../../command.ts'
import { Misuse, unknownItem, unwrap } from '../../failure.ts'
import { parseProjectRef } from '../../in-store.ts'
import { printJson, printNextSteps } from '../../output/output.ts'
import { dateText, visible } from '../../output/text.ts'
import { isAddressGiven, openInBrowser, runningAddress, warnIfLocal } from '../../service-address.ts'
import { endCommand, lastUseText, lifetimeOption, listCommand, nameOption, validityText, withAccess } from './family.ts'

export const create: Run = async (args, io) => {
  const created = await createLink(args, io)
  const { share, url, name, service } = created
  const isJson = hasFlag(args, 'json')
  if (isJson) printJson(io, shareJson(share, url, name))
  else printLink(created, args, io)
  warnIfLocal(service, args, io)
  if (!isJson && share.openTo !== 'nobody else') io.err(`${placeText(share)} ${NOTES[share.openTo]}\n`)
  if (hasFlag(args, 'open')) await openInBrowser(url, io)
  return 0
}

/** Creates the link that the arguments describe, and finds its address: that of a running service, or else of the settings. */
function createLink(args: Arguments, io: Io) {
  const lifetimeSeconds = lifetimeOption(args, 'share link')
  const name = nameOption(args)
  const kind = hasFlag(args, 'draft') ? 'draft' : 'guide'
  const mayApprove = hasFlag(args, 'mayApprove')
  if (mayApprove && kind === 'guide') throw new Misuse('--may-approve is for links to drafts: add --draft')
  const ref = parseProjectRef(operand(args, 0))
  return withAccess(args, io, async ({ access, store, settings, now }) => {
    const by = { name: io.user }
    const share = unwrap(await createShare(access, { ...ref, kind, name, lifetimeSeconds, mayApprove, by }, now))
    const running = await runningAddress(store, args, settings)
    const service = running ?? addressFor(settings)
    const url = shareUrl(await addressesFor(store, service, settings), share)
    const needsService = running === undefined && !isAddressGiven(args, settings)
    return { share, name, url, service, needsService, now }
  })
}

type CreatedLink = Awaited<ReturnType<typeof createLink>>

function printLink({ share, url, needsService, now }: CreatedLink, args: Arguments, io: Io): void {
  io.out(`${url}\n`)
  const what = share.draft ? `the draft of ${placeText(share)}` : placeText(share)
  const until = dateText(share.expiresAt, now)
  const revoke = args.commandLine('share revoke', [share.id])
  io.err(`Opens ${what} until ${until}, or until \`${revoke}\`\n`)
  if (!io.isTerminal || !needsService) return
  io.err('no service of this store is running: start one to open the link\n')
  printNextSteps([{ command: 'serve' }], args, io)
}

function shareJson(share: CreatedShare, url: string, name: string | undefined): object {
  const { id, workspace, project, createdAt, expiresAt } = share
  if (share.draft) return { id, url, expiresAt }
  return { id, name, workspace, project, url, createdAt, expiresAt }
}

const NOTES: Readonly<Record<Exclude<CreatedShare['openTo'], 'nobody else'>, string>> = {
  everyone: 'is public: everyone can see it even without this link',
  unpublished: 'is not published: the link will work once it is',
}

export const list = listCommand(shares, {
  hasProjects: true,
  rowOf: (share, now, io) => [
    share.id,
    `${share.workspace}/${share.project}${share.draft ? ' (draft)' : ''}`,
    validityText(share, now, io),
    lastUseText(share),
    visible(share.name ?? ''),
    share.by === undefined ? '' : `by ${visible(share.by)}`,
  ],
  none: 'there is no share link: make one with `housestyle share <workspace/project>`',
})

export const revoke = endCommand(shares, {
  unknown: id => unknownItem('share_unknown', `share link ${quote(id)}`, 'share list'),
  done: 'revoked',
  note: share =>
    'workspace' in share && !share.draft
      ? `addresses of files that people have seen stay open until you change them with \`housestyle files rotate ${share.workspace}/${share.project}\`\n`
      : '',
})
