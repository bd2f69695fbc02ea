import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '#platform/base/object.ts'
import { findMailChoice, renewMailChoice } from '#store/access/mail.ts'
import { endAnswer, listExercised } from '#store/access/person-rights.ts'
import { changeRights, rightsIn } from '#store/access/sessions.ts'
import { revokeShare, type ShareRecord } from '#store/access/shares.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { endPlan, findPlan } from '#store/catalogue/plans.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { AccessContext } from '../context.ts'
import { coversDraft, manages, managesAll } from './rights.ts'

/** A person with their present rights; without any if the rules refuse them. */
export type Entitled = Parameters<typeof renewMailChoice>[1]

/**
 * Ends what a person has done with rights that they no longer have: answers about drafts that they may not see now, and
 * plans and live links of projects that they do not manage now. Their mail follows their rights. Only what they did under
 * the same settings of an issuer counts. Call it with each new sign-in or statement about the person.
 */
export async function endLostRights({ database, clock, record }: AccessContext, person: Entitled): Promise<void> {
  const now = new Date(clock())
  await renewMail(database, person, now)
  // Usually there is nothing to end, so no transaction begins.
  const { answered, planned, links } = await listExercised(database, person, now)
  if (answered.length + planned.length + links.length === 0) return
  const ended = await database.transaction(queries => endLost(queries, person, now))
  for (const { id, workspace, project } of ended)
    record({ event: 'share-revoked', reason: 'maker', share: id, workspace, project })
}

/** Proxies state a person with each request, so their unchanged rights are saved once an hour. */
async function renewMail(database: Database, person: Entitled, now: Date): Promise<void> {
  const choice = await findMailChoice(database, person)
  if (!choice) return
  const isRecent = now.getTime() - choice.seenAt.getTime() < HOUR_MS
  const hasSameRights = isDeepStrictEqual(choice.rights, withoutUndefined(rightsIn(person)))
  // A person whose issuer states no address keeps the one of the choice.
  const hasSameAddress = (person.email ?? choice.email) === choice.email && person.unverifiedEmail === undefined
  if (isRecent && hasSameRights && hasSameAddress) return
  await database.transaction(queries => renewMailChoice(queries, person, now))
}

const HOUR_MS = 3_600_000

/** Applies the rights of a person who signs in to their other sessions, which end if the rules refuse the person. */
export async function applyRights(access: AccessContext, person: Entitled, isRefused: boolean): Promise<void> {
  const now = new Date(access.clock())
  await access.database.transaction(async queries => {
    const changed = await changeRights(queries, person, isRefused ? undefined : person, now)
    if (changed > 0) await recordChange(queries, undefined)
  })
}

/** Ends the answers, plans and links without a right inside a transaction, and returns the ended links. */
async function endLost(queries: Queries, person: Entitled, now: Date): Promise<ShareRecord[]> {
  const { workspace } = person
  const { answered, planned, links } = await listExercised(queries, person, now)
  for (const project of answered) {
    const record = await findProject(queries, workspace, project)
    if (record && coversDraft(person, record)) continue
    await endAnswer(queries, person, project, now)
    await recordChange(queries, workspace, project)
  }
  for (const project of planned) {
    const record = await findProject(queries, workspace, project)
    // A plan of someone who managed all projects publishes the changes of the workspace too.
    const keepsWorkspace = (await findPlan(queries, { workspace, project }))?.keepsWorkspace
    if (record && manages(person, record) && (keepsWorkspace || managesAll(person))) continue
    await endPlan(queries, { workspace, project }, { reason: 'right_ended' })
  }
  const ended: ShareRecord[] = []
  for (const link of links) {
    const record = await findProject(queries, workspace, link.project)
    if (record && manages(person, record)) continue
    await revokeShare(queries, link.id, now)
    ended.push(link)
  }
  if (ended.length > 0) await recordChange(queries, undefined)
  return ended
}
