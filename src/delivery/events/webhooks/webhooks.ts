import { randomBytes } from 'node:crypto'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import type { AccessContext } from '#serving/access/context.ts'
import type { Family } from '#serving/access/families.ts'
import { findPlace } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import {
  DELIVERIES,
  findWebhook,
  listDeliveries,
  listWebhooks,
  markFailing,
  markWorking,
  removeWebhook,
  repeatDelivery,
  replaceSecret,
  WEBHOOKS,
} from '#store/catalogue/webhooks.ts'
import type { Database } from '#store/database/database.ts'
import type { StateOf } from '#store/database/table.ts'
import { attempt, type Deliver, makeSecret, sealSecret, secretOpener } from './attempt.ts'

// The commands about webhooks, and the messages that they have sent.

type Problem = { code: string; message: string }

export type WebhookState = StateOf<typeof WEBHOOKS>

/** The webhooks. Deleting one deletes its messages. */
export const webhooks = {
  states: async (queries, of) => (await listWebhooks(queries, of)).map(WEBHOOKS.stateOf),
  end: async ({ database, record }, id) => {
    const isDeleted = await database.transaction(queries => removeWebhook(queries, id))
    if (isDeleted) record({ event: 'webhook-deleted', webhook: id })
    return isDeleted ? { id, done: true } : undefined
  },
} satisfies Family<WebhookState, object>

/** A new webhook or secret. The store keeps the secret, but no command prints it again. */
export type CreatedSecret = { id: string; url: string; secret: string }

/** Creates a webhook for a project, or for all projects of a workspace. */
export async function createWebhook(
  { database, keySecret, record }: AccessContext,
  { workspace, project, url }: { workspace: string; project: string | undefined; url: string },
  now: Date,
): Promise<Result<CreatedSecret, Problem>> {
  const address = parseAddress(url)
  if (address === undefined) return failed({ code: 'webhook_url_invalid', message: invalidAddress(url) })
  // Base64url may begin with a hyphen, which a command would parse as an option.
  const id = randomBytes(8).toString('hex')
  const secret = makeSecret()
  const sealed = await sealSecret(secret, keySecret)
  const named = withoutUndefined({ workspace, project })
  // The message about a workspace or project that does not exist; undefined if the webhook was added.
  const unknown = await database.transaction(async queries => {
    if (!(await findPlace(queries, named))) return unknownMessage(queries, named)
    const failingSince = now // Until the first attempt.
    await WEBHOOKS.add(queries, {
      id,
      ...named,
      url: address,
      secret: sealed,
      createdAt: now,
      isTried: false,
      failingSince,
    })
    return undefined
  })
  if (unknown !== undefined)
    return failed({ code: project === undefined ? 'workspace_unknown' : 'project_unknown', message: unknown })
  record({ event: 'webhook-created', webhook: id, ...named })
  return ok({ id, url: address, secret })
}

/** An https address without credentials and fragment. */
function parseAddress(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > MAX_ADDRESS) return undefined
  const { protocol, username, password, hash, href } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hash === '' ? href : undefined
}

const MAX_ADDRESS = 2000

function invalidAddress(url: string): string {
  // An address may contain a password, which no message repeats.
  const address = url.length <= MAX_ADDRESS && !url.includes('@') ? quote(url) : 'this address'
  return `${address} cannot be a webhook: write an https address without user name, password and fragment, of at most ${MAX_ADDRESS} characters`
}

export type DeliveryState = StateOf<typeof DELIVERIES>

/** The messages of a webhook of the last 30 days, newest first; optionally only if the latest attempt failed. */
export async function deliveryStates(
  database: Database,
  webhook: string,
  isOnlyFailed: boolean,
): Promise<Result<DeliveryState[], Problem>> {
  if (!(await findWebhook(database, webhook))) return failed(unknownWebhook(webhook))
  const states = (await listDeliveries(database, webhook)).map(DELIVERIES.stateOf)
  const hasFailed = ({ state, problem }: DeliveryState) => state === 'failed' || problem !== null
  return ok(isOnlyFailed ? states.filter(hasFailed) : states)
}

export function unknownWebhook(id: string) {
  return {
    code: 'webhook_unknown' as const,
    message: `there is no webhook ${quote(id)}: see \`housestyle webhook list\``,
  }
}

/** Sends a message of a webhook again, with the same id and content, even if it was delivered. */
export async function replay(
  database: Database,
  webhook: string,
  id: string,
  now: Date,
): Promise<Result<DeliveryState, Problem>> {
  return database.transaction(async queries => {
    const record = await findWebhook(queries, webhook)
    if (!record) return failed(unknownWebhook(webhook))
    if (record.disabledAt) return failed({ code: 'webhook_disabled', message: disabledMessage(webhook) })
    const delivery = await repeatDelivery(queries, webhook, id, now)
    if (!delivery) return failed({ code: 'message_unknown', message: unknownMessageOf(webhook, id) })
    await recordChange(queries, record.workspace, delivery.project) // Wakes the services.
    return ok(DELIVERIES.stateOf(delivery))
  })
}

function disabledMessage(webhook: string): string {
  return `the webhook ${webhook} is disabled: enable it with \`housestyle webhook test ${webhook}\`, then try again`
}

function unknownMessageOf(webhook: string, id: string): string {
  return `the webhook ${webhook} has no message ${quote(id)}: see \`housestyle webhook deliveries ${webhook}\``
}

/** Replaces the secret of a webhook. For a day, messages are signed with both. */
export async function rotate(
  { database, keySecret, record }: AccessContext,
  id: string,
  now: Date,
): Promise<Result<CreatedSecret, Problem>> {
  const secret = makeSecret()
  const sealed = await sealSecret(secret, keySecret)
  const rotated = await database.transaction(async queries => {
    const webhook = await findWebhook(queries, id)
    if (webhook) await replaceSecret(queries, webhook, sealed, new Date(now.getTime() + DAY_MS))
    return webhook
  })
  if (!rotated) return failed(unknownWebhook(id))
  record({ event: 'webhook-rotated', webhook: id, workspace: rotated.workspace })
  return ok({ id, url: rotated.url, secret })
}

const DAY_MS = 24 * 3600 * 1000

/** The result of a test message, as `housestyle webhook test --json` prints it. */
export type TestResult = {
  webhook: string
  id: string
  delivered: boolean
  status: number | null
  problem: string | null
  milliseconds: number
}

/** Sends a signed test message now. A receiver that accepts it works: this enables a disabled webhook. */
export async function testWebhook(
  { database, keySecret }: AccessContext,
  id: string,
  { deliver, clock }: { deliver: Deliver; clock: () => Date },
): Promise<Result<TestResult, Problem>> {
  const webhook = await findWebhook(database, id)
  if (!webhook) return failed(unknownWebhook(id))
  const began = clock()
  const data = { workspace: webhook.workspace, project: webhook.project, webhook: id }
  const payload = JSON.stringify({ type: 'webhook.test', timestamp: began.toISOString(), data })
  const message = { id: randomBytes(12).toString('hex'), payload }
  const parts = { deliver, openSecret: secretOpener(keySecret) }
  const { isDelivered, status, problem } = await attempt(parts, webhook, message, began)
  await database.transaction(queries => (isDelivered ? markWorking(queries, id) : markFailing(queries, id, clock())))
  return ok({
    webhook: id,
    id: message.id,
    delivered: isDelivered,
    status: status ?? null,
    problem: problem ?? null,
    milliseconds: clock().getTime() - began.getTime(),
  })
}
