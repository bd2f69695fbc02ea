import {
  createWebhook,
  type DeliveryState,
  deliveryStates,
  replay as replayMessage,
  rotate as rotateSecret,
  testWebhook,
  unknownWebhook,
  type WebhookState,
  webhooks,
} from '#delivery/events/webhooks/webhooks.ts'
import { pluralize } from '#platform/base/text.ts'
import { addressFor } from '../../../compose/address.ts'
import { delivererFor, isForbiddenReceiver } from '../../../compose/webhooks.ts'
import { hasFlag, operand, type Run, textOption } from '../../command.ts'
import { CommandFailure, EXIT, unwrap } from '../../failure.ts'
import { inStore } from '../../in-store.ts'
import { listOutput } from '../../output/output.ts'
import { dateText, visible } from '../../output/text.ts'
import { endCommand, listCommand, withAccess } from './family.ts'

export const create: Run = (args, io) =>
  withAccess(args, io, async ({ access, settings, now }) => {
    const [workspace = '', url = ''] = args.operands
    if (URL.canParse(url) && isForbiddenReceiver(settings, addressFor(settings), new URL(url).hostname))
      throw new CommandFailure('webhook_url_invalid', forbiddenMessage(new URL(url).hostname))
    const created = unwrap(await createWebhook(access, { workspace, project: textOption(args, 'project'), url }, now))
    return {
      json: created,
      text: `id      ${created.id}\nsecret  ${created.secret}\n`,
      note: 'Give the secret to the receiver: it cannot be shown again.\n',
    }
  })

function forbiddenMessage(hostname: string): string {
  const why = 'is private, special or this machine, so deliveries would refuse it'
  return `an address at ${visible(hostname)} cannot be a webhook: it ${why}; write a public address, or permit its network with --outgoing-allow, here and for \`serve\``
}

export const list = listCommand(webhooks, {
  rowOf: (webhook, now) => {
    const { id, workspace, project, url } = webhook
    return [id, project === null ? workspace : `${workspace}/${project}`, conditionOf(webhook, now), visible(url)]
  },
  none: 'there is no webhook: make one with `housestyle webhook create <workspace> <url>`',
})

function conditionOf({ tried, failingSince, disabledAt, disabledReason }: WebhookState, now: Date): string {
  if (disabledAt !== null) {
    const why = disabledReason === 'gone' ? 'it answered 410' : 'it only failed for five days'
    return `disabled ${dateText(disabledAt, now)}: ${why}`
  }
  if (!tried) return 'never tried'
  return failingSince === null ? 'works' : `failing since ${dateText(failingSince, now)}`
}

export const test: Run = (args, io) =>
  withAccess(args, io, async ({ access, store, settings }) => {
    const [id = ''] = args.operands
    const deliver = delivererFor(settings, addressFor(settings))
    const result = unwrap(await testWebhook(access, id, { deliver, clock: store.clock.date }))
    const { delivered, status, problem, milliseconds } = result
    if (!delivered) return { json: result, note: `not delivered: ${visible(problem ?? '')}\n`, exitCode: EXIT.failed }
    return { json: result, text: `delivered: the receiver answered ${status} after ${milliseconds} ms\n` }
  })

export const deliveries: Run = (args, io) =>
  inStore(args, io, async ({ store, now }) => {
    const [id = ''] = args.operands
    const isOnlyFailed = hasFlag(args, 'failed')
    const states = unwrap(await deliveryStates(store.database, id, isOnlyFailed))
    const none = `there is no ${isOnlyFailed ? 'failed ' : ''}message of the last 30 days\n`
    return listOutput(states, message => deliveryRow(message, now), none)
  })

function deliveryRow(delivery: DeliveryState, now: Date): string[] {
  const { id, type, workspace, project, createdAt, state, attempts, problem } = delivery
  const tried = `${state}, ${pluralize(attempts, 'attempt')}`
  return [id, type, `${workspace}/${project}`, dateText(createdAt, now), tried, visible(problem ?? '')]
}

export const replay: Run = (args, io) =>
  inStore(args, io, async ({ store, now }) => {
    const [webhook = '', id = ''] = args.operands
    const delivery = unwrap(await replayMessage(store.database, webhook, id, now))
    return { json: delivery, text: `${id}: a running service sends it now\n` }
  })

export const rotate: Run = (args, io) =>
  withAccess(args, io, async ({ access, now }) => {
    const rotated = unwrap(await rotateSecret(access, operand(args, 0), now))
    return {
      json: rotated,
      text: `secret  ${rotated.secret}\n`,
      note: 'Give the secret to the receiver within a day: until then, messages are signed with both.\n',
    }
  })

export const remove = endCommand(webhooks, {
  unknown: id => {
    const { code, message } = unknownWebhook(id)
    return new CommandFailure(code, message)
  },
  done: 'deleted',
})
