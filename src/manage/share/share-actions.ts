import { MAX_NAME, shares } from '../../access/families.ts'
import { createShare, shareUrl } from '../../access/share/shares.ts'
import { MAX_LIFETIME_SECONDS } from '../../access/token/issue.ts'
import { parseDuration } from '../../base/duration.ts'
import { html } from '../../site/html.ts'
import { findLiveShare } from '../../store/access/shares.ts'
import { auditedBy, whoOf } from '../context.ts'
import type { ProjectAction } from '../form.ts'
import { managedGuide } from '../manage-page.ts'

/** Makes a link as `housestyle share` does. The reply to the form is the only page that shows it. */
export const share: ProjectAction = async (context, managed, { field }) => {
  const { manage } = (await managedGuide(context, managed)).words
  const [of, name] = [field('of'), field('name')]
  const lifetimeSeconds = parseDuration(field('expires')) ?? Number.POSITIVE_INFINITY
  if (of !== 'guide' && of !== 'draft') return { status: 422, message: html`${manage.share.wrongOf}` }
  if (name.length > MAX_NAME) return { status: 422, message: html`${manage.share.longName({ count: MAX_NAME })}` }
  if (lifetimeSeconds > MAX_LIFETIME_SECONDS)
    return { status: 422, message: html`${manage.share.wrongExpires({ count: MAX_LIFETIME_SECONDS / DAY })}` }
  const { record, person } = managed
  const { workspace, project } = record
  const made = await createShare(
    auditedBy(context.access, person),
    {
      workspace,
      project,
      kind: of,
      name: name === '' ? undefined : name,
      lifetimeSeconds,
      mayApprove: of === 'draft' && field('mayApprove') !== '',
      by: { ...person, name: whoOf(person) },
    },
    context.store.clock.date(),
  )
  if (!made.ok) return { status: 422, message: html`${made.problem.message}` }
  const url = shareUrl(context.site.publicUrl, made.value)
  return {
    status: 200,
    message: html`${manage.share.made}<span class="made"><input value="${url}" aria-label="${manage.share.address}" dir="ltr" readonly><button type="button" class="copy" data-copy="${url}" aria-label="${manage.share.copy}"></button></span>`,
  }
}

const DAY = 24 * 3600

/** Ends a link to the project. Links to other projects end on their own pages. */
export const endShare: ProjectAction = async (context, { record, person }, { field }) => {
  const { access, store, refresh } = context
  const [id, now] = [field('id'), store.clock.date()]
  const link = await findLiveShare(store.database, id, now)
  if (link?.workspace !== record.workspace || link.project !== record.project) {
    const { words } = await managedGuide(context, { record, person })
    return { status: 422, message: html`${words.manage.share.gone}` }
  }
  await shares.end(auditedBy(access, person), id, now)
  await refresh()
  return undefined
}
