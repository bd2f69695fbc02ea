import { randomBytes } from 'node:crypto'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { findProject, findWorkspace } from '../../store/catalogue/catalogue.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import { type DeliveryRecord, listDeliveries, repeatDelivery } from '../../store/catalogue/deliveries.ts'
import { unknownMessage } from '../../store/catalogue/unknown.ts'
import {
  addWebhook,
  findWebhook,
  listWebhooks,
  markFailing,
  markWorking,
  removeWebhook,
  replaceSecret,
  type WebhookRecord,
} from '../../store/catalogue/webhooks.ts'
import type { Database, Queries } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import { attempt, type Deliver } from './attempt.ts'
import { makeSecret, sealSecret, secretOpener } from './secret.ts'

/** The parts for managing webhooks. */
export type WebhookParts = { database: Database; keySecret: string | undefined; record: Audit }

type Problem = { code: string; message: string }

/** A webhook, as `housestyle webhook list --json` prints it. */
export type WebhookState = {
  id: string
  workspace: string
  /** Null: all projects. */
  project: string | null
  url: string
  createdAt: string
  /** Whether there was an attempt, and the first failure since the last success. */
  tried: boolean
  failingSince: string | null
  disabledAt: string | null
  /** `gone`: its receiver answered 410. `failing`: all attempts failed for five days. */
  disabledReason: 'gone' | 'failing' | null
}

/** A new webhook or secret. The store keeps the secret, but no command prints it again. */
export type CreatedSecret = { id: string; url: string; secret: string }

/** Creates a webhook for the events of a workspace, or of one project. */
export async function createWebhook(
  { database, keySecret, record }: WebhookParts,
  { workspace, project, url }: { workspace: string; project: string | undefined; url: string },
  now: Date,
): Promise<Result<CreatedSecret, Problem>> {
  const address = parseAddress(url)
  if (address === undefined) return failed({ code: 'webhook_url_invalid', message: invalidAddress(url) })
  // Base64url may begin with a hyphen, which a command would parse as an option.
  const id = randomBytes(8).toString('hex')
  const secret = makeSecret()
  const sealed = await sealSecret(secret, keySecret)
  const named = project === undefined ? { workspace } : { workspace, project }
  const unknown = await database.transaction(async queries => {
    if (!(await exists(queries, named))) return unknownMessage(queries, named)
    await addWebhook(queries, { id, ...named, url: address, secret: sealed, createdAt: now })
    return undefined
  })
  if (unknown !== undefined)
    return failed({ code: project === undefined ? 'workspace_unknown' : 'project_unknown', message: unknown })
  record({ event: 'webhook-created', webhook: id, ...named })
  return ok({ id, url: address, secret })
}

async function exists(queries: Queries, { workspace, project }: { workspace: string; project?: string }) {
  const found = project === undefined ? findWorkspace(queries, workspace) : findProject(queries, workspace, project)
  return (await found) !== undefined
}

/** An https address without credentials and fragment. */
function parseAddress(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > MAX_ADDRESS) return undefined
  const { protocol, username, password, hash, href } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hash === '' ? href : undefined
}

const MAX_ADDRESS = 2000

function invalidAddress(url: string): string {
  const shown = url.length <= MAX_ADDRESS && !url.includes('@') ? quote(url) : 'this address'
  return `${shown} cannot be a webhook: write an https address without user name, password and fragment, of at most ${MAX_ADDRESS} characters`
}

/** All webhooks, or those of a workspace. */
export async function webhookStates(database: Database, workspace?: string): Promise<WebhookState[]> {
  return (await listWebhooks(database, workspace)).map(stateOf)
}

function stateOf(webhook: WebhookRecord): WebhookState {
  const { id, workspace, project, url, createdAt, isTried, failingSince, disabled } = webhook
  return {
    id,
    workspace,
    project: project ?? null,
    url,
    createdAt: createdAt.toISOString(),
    tried: isTried,
    failingSince: failingSince?.toISOString() ?? null,
    disabledAt: disabled?.at.toISOString() ?? null,
    disabledReason: disabled?.reason ?? null,
  }
}

/** A message for a webhook, as `housestyle webhook deliveries --json` prints it. */
export type DeliveryState = {
  id: string
  type: string
  workspace: string
  project: string
  state: DeliveryRecord['state']
  createdAt: string
  attempts: number
  /** The time of the latest attempt, and its HTTP status or its problem. */
  attemptedAt: string | null
  status: number | null
  problem: string | null
  nextAttemptAt: string | null
}

/** The messages of a webhook of the last 30 days, newest first; optionally only if the latest attempt failed. */
export async function deliveryStates(
  database: Database,
  webhook: string,
  isOnlyFailed: boolean,
): Promise<Result<DeliveryState[], Problem>> {
  if (!(await findWebhook(database, webhook))) return failed(unknownWebhook(webhook))
  const deliveries = (await listDeliveries(database, webhook)).map(deliveryState)
  return ok(
    isOnlyFailed ? deliveries.filter(({ state, problem }) => state === 'failed' || problem !== null) : deliveries,
  )
}

function deliveryState(delivery: DeliveryRecord): DeliveryState {
  const { id, type, workspace, project, state, createdAt, attempts, attemptedAt, status, problem, nextAt } = delivery
  return {
    id,
    type,
    workspace,
    project,
    state,
    createdAt: createdAt.toISOString(),
    attempts,
    attemptedAt: attemptedAt?.toISOString() ?? null,
    status: status ?? null,
    problem: problem ?? null,
    nextAttemptAt: nextAt?.toISOString() ?? null,
  }
}

function unknownWebhook(id: string): Problem {
  return { code: 'webhook_unknown', message: `there is no webhook ${quote(id)}: see \`housestyle webhook list\`` }
}

/** Sends a message of a webhook again, with the same id and content, even if it was delivered. */
export async function replay(
  database: Database,
  webhook: string,
  id: string,
  now: Date,
): Promise<Result<DeliveryState, Problem>> {
  return database.transaction(async queries => {
    const found = await findWebhook(queries, webhook)
    if (!found) return failed(unknownWebhook(webhook))
    if (found.disabled) return failed({ code: 'webhook_disabled', message: disabledMessage(webhook) })
    const delivery = await repeatDelivery(queries, webhook, id, now)
    if (!delivery) return failed({ code: 'message_unknown', message: unknownMessageOf(webhook, id) })
    await recordChange(queries, found.workspace, delivery.project) // Wakes the services.
    return ok(deliveryState(delivery))
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
  { database, keySecret, record }: WebhookParts,
  id: string,
  now: Date,
): Promise<Result<CreatedSecret, Problem>> {
  const secret = makeSecret()
  const sealed = await sealSecret(secret, keySecret)
  const found = await database.transaction(async queries => {
    const webhook = await findWebhook(queries, id)
    if (webhook) await replaceSecret(queries, webhook, sealed, new Date(now.getTime() + DAY_MS))
    return webhook
  })
  if (!found) return failed(unknownWebhook(id))
  record({ event: 'webhook-rotated', webhook: id, workspace: found.workspace })
  return ok({ id, url: found.url, secret })
}

const DAY_MS = 24 * 3600 * 1000

/** Deletes a webhook and its messages. */
export async function deleteWebhook(
  { database, record }: WebhookParts,
  id: string,
): Promise<Result<undefined, Problem>> {
  const isDeleted = await database.transaction(queries => removeWebhook(queries, id))
  if (!isDeleted) return failed(unknownWebhook(id))
  record({ event: 'webhook-deleted', webhook: id })
  return ok(undefined)
}

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
  { database, keySecret }: Pick<WebhookParts, 'database' | 'keySecret'>,
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
