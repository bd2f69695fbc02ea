import { auditFor } from '../../../compose/access.ts'
import { addressFor } from '../../../compose/address.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { delivererFor, isForbiddenReceiver } from '../../../compose/webhooks.ts'
import {
  createWebhook,
  type DeliveryState,
  deleteWebhook,
  deliveryStates,
  replay as replayMessage,
  rotate as rotateSecret,
  testWebhook,
  type WebhookParts,
  type WebhookState,
  webhookStates,
} from '../../../events/webhooks/webhooks.ts'
import { type Arguments, hasFlag, type Run, type Store, textOption } from '../../command.ts'
import { CommandFailure, EXIT, unwrap } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { type CommandSettings, loadSettings } from '../../settings/settings.ts'

/** `webhook create <workspace> <url>` */
export const create: Run = async (args, io) => {
  const [workspace = '', url = ''] = args.operands
  const project = textOption(args, 'project')
  const created = await withParts(args, io, async (parts, { clock }, settings) => {
    if (URL.canParse(url) && isForbiddenReceiver(settings, addressFor(settings), new URL(url).hostname))
      throw new CommandFailure('webhook_url_invalid', forbiddenMessage(new URL(url).hostname))
    return unwrap(await createWebhook(parts, { workspace, project, url }, clock.date()))
  })
  if (hasFlag(args, 'json')) printJson(io, created)
  else {
    io.out(`id      ${created.id}\nsecret  ${created.secret}\n`)
    io.err(`Give the secret to the receiver: it cannot be shown again.\n`)
  }
  return EXIT.done
}

function forbiddenMessage(hostname: string): string {
  const why = 'is private, special or this machine, so deliveries would refuse it'
  return `an address at ${visible(hostname)} cannot be a webhook: it ${why}; write a public address, or permit its network with --outgoing-allow, here and for \`serve\``
}

/** Opens the store with the parts that change webhooks. */
async function withParts<Value>(
  args: Arguments,
  io: Io,
  work: (parts: WebhookParts, store: Store, settings: CommandSettings) => Promise<Value>,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  const record = auditFor(settings, io.isTerminal)
  const { keySecret } = settings
  return withExistingStore(settings, store => work({ database: store.database, keySecret, record }, store, settings))
}

/** `webhook list [workspace]` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [workspace] = args.operands
  const { webhooks, now } = await withExistingStore(settings, async store => {
    if (workspace !== undefined) await requireSelection(store, { workspace })
    return { webhooks: await webhookStates(store.database, workspace), now: store.clock.date() }
  })
  if (hasFlag(args, 'json')) printJson(io, webhooks)
  else if (webhooks.length === 0)
    io.err(args.completeCommands('there is no webhook: make one with `housestyle webhook create <workspace> <url>`\n'))
  else io.out(table(webhooks.map(webhook => webhookRow(webhook, now))))
  return EXIT.done
}

function webhookRow(webhook: WebhookState, now: Date): string[] {
  const { id, workspace, project, url } = webhook
  return [id, project === null ? workspace : `${workspace}/${project}`, conditionOf(webhook, now), visible(url)]
}

function conditionOf({ tried, failingSince, disabledAt, disabledReason }: WebhookState, now: Date): string {
  if (disabledAt !== null) {
    const why = disabledReason === 'gone' ? 'it answered 410' : 'it only failed for five days'
    return `disabled ${dateText(disabledAt, now)}: ${why}`
  }
  if (!tried) return 'never tried'
  return failingSince === null ? 'works' : `failing since ${dateText(failingSince, now)}`
}

/** `webhook test <id>` */
export const test: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [id = ''] = args.operands
  const deliver = delivererFor(settings, addressFor(settings))
  const result = await withExistingStore(settings, async ({ database, clock }) => {
    const { keySecret } = settings
    return unwrap(await testWebhook({ database, keySecret }, id, { deliver, clock: clock.date }))
  })
  const { delivered, status, problem, milliseconds } = result
  if (hasFlag(args, 'json')) printJson(io, result)
  else if (delivered) io.out(`delivered: the receiver answered ${status} after ${milliseconds} ms\n`)
  else io.err(`not delivered: ${visible(problem ?? '')}\n`)
  return delivered ? EXIT.done : EXIT.failed
}

/** `webhook deliveries <id>` */
export const deliveries: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [id = ''] = args.operands
  const isOnlyFailed = hasFlag(args, 'failed')
  const { found, now } = await withExistingStore(settings, async ({ database, clock }) => ({
    found: unwrap(await deliveryStates(database, id, isOnlyFailed)),
    now: clock.date(),
  }))
  if (hasFlag(args, 'json')) printJson(io, found)
  else if (found.length === 0) io.err(`there is no ${isOnlyFailed ? 'failed ' : ''}message of the last 30 days\n`)
  else io.out(table(found.map(delivery => deliveryRow(delivery, now))))
  return EXIT.done
}

function deliveryRow(delivery: DeliveryState, now: Date): string[] {
  const { id, type, workspace, project, createdAt, attempts, problem } = delivery
  const tried = `${delivery.state}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  return [id, type, `${workspace}/${project}`, dateText(createdAt, now), tried, visible(problem ?? '')]
}

/** `webhook replay <id> <webhook-id>` */
export const replay: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [webhook = '', id = ''] = args.operands
  const delivery = await withExistingStore(settings, async ({ database, clock }) =>
    unwrap(await replayMessage(database, webhook, id, clock.date())),
  )
  if (hasFlag(args, 'json')) printJson(io, delivery)
  else io.out(`${id}: a running service sends it now\n`)
  return EXIT.done
}

/** `webhook rotate <id>` */
export const rotate: Run = async (args, io) => {
  const [id = ''] = args.operands
  const rotated = await withParts(args, io, async (parts, store) =>
    unwrap(await rotateSecret(parts, id, store.clock.date())),
  )
  if (hasFlag(args, 'json')) printJson(io, rotated)
  else {
    io.out(`secret  ${rotated.secret}\n`)
    io.err('Give the secret to the receiver within a day: until then, messages are signed with both.\n')
  }
  return EXIT.done
}

/** `webhook delete <id>` */
export const remove: Run = async (args, io) => {
  const [id = ''] = args.operands
  await withParts(args, io, async parts => unwrap(await deleteWebhook(parts, id)))
  if (hasFlag(args, 'json')) printJson(io, { id, done: true })
  else io.out(`${id}: deleted\n`)
  return EXIT.done
}
