import type { ProjectRef } from '../../brand/ids.ts'
import { type Queries, textOf } from '../database/database.ts'

/** A message about an event. `payload` is the exact body of each attempt to deliver it. */
export type Message = ProjectRef & { id: string; number: number; payload: string; happenedAt: Date }

/** Adds a message for each enabled webhook that wants it, inside the transaction of its event. */
export async function addDeliveries(queries: Queries, message: Message): Promise<void> {
  const { number, id, workspace, project, payload, happenedAt } = message
  const webhooks = await queries.all(
    'SELECT id FROM webhook WHERE workspace = ? AND (project IS NULL OR project = ?) AND disabled_at IS NULL',
    workspace,
    project,
  )
  for (const webhook of webhooks)
    await queries.run(
      `INSERT INTO delivery (webhook, id, number, project, payload, state, created_at, next_at, attempts)
       VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, 0)`,
      textOf(webhook, 'id'),
      id,
      number,
      project,
      payload,
      happenedAt.getTime(),
      happenedAt.getTime(),
    )
}
