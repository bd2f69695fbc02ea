import { parseDuration } from '#platform/base/duration.ts'
import { rotateFiles } from '#publishing/change-project.ts'
import { MAX_NAME, shares } from '#serving/access/families.ts'
import { createShare, shareUrl } from '#serving/access/share/shares.ts'
import { MAX_LIFETIME_SECONDS } from '#serving/access/token/issue.ts'
import { type Html, html } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { findLiveShare, listLiveShares, type ShareRecord } from '#store/access/shares.ts'
import { auditedBy, formToken, type ManageContext, type Managed, whoOf } from './context.ts'
import { button, endForm, formHtml, type ProjectAction } from './form.ts'
import { lastUse, timeHtml } from './manage-page.ts'
import type { Field } from './sealed.ts'

/** The form that makes a share link to a project, and the live links, newest first. */
export async function shareSection(
  context: ManageContext,
  words: Words,
  { person, record }: Managed,
  field: Field,
): Promise<Html> {
  const { store } = context
  const { share } = words.manage
  const token = formToken(context, person)
  const links = await listLiveShares(store.database, record, store.clock.date())
  const list = html`<ul class="entries">\n${links.map(link => linkEntry(words, link, token))}</ul>\n`
  return html`<p class="lead">${share.lead}</p>
<section class="act"><h2>${share.new}</h2>
${makeForm(words, token, field)}</section>
<section><h2>${share.open}</h2>
${links.length > 0 ? list : html`<p>${share.none}</p>\n`}</section>
`
}

/** A live link: its name, what it opens, its end, its last use, who made it, and the form that ends it. */
function linkEntry(words: Words, { id, name, isDraft, mayApprove, madeBy, ...link }: ShareRecord, token: string): Html {
  const { share, people } = words.manage
  const label = name ?? `${share.unnamed}`
  const kind = words.list([isDraft ? share.draft : share.guide, mayApprove ? share.approves : undefined])
  const until = share.until({ day: timeHtml(words, link.expiresAt) })
  const { lastUsedAt, createdAt } = link
  const used = lastUsedAt ? people.lastUsed({ day: timeHtml(words, lastUse(lastUsedAt, createdAt)) }) : people.unused
  const made = share.madeOn({ day: timeHtml(words, createdAt) })
  const maker = madeBy !== undefined && html` · <bdi>${share.madeBy({ who: madeBy })}</bdi>`
  const end = button('end-share', share.end, { name: share.endOf({ name: label }) })
  return html`<li><div><strong><bdi>${label}</bdi></strong> <span>${kind}</span> <span>${until} · ${used}</span> <span>${made}${maker}</span></div>
${endForm(token, id, end)}</li>
`
}

/** The form that makes a link, with the fields that were sent. */
function makeForm({ manage: { share } }: Words, token: string, field: Field): Html {
  const chosen = field('expires') || DEFAULT_EXPIRES
  const days = DAYS.map(count => {
    const value = `${count}d`
    return html`<option value="${value}"${value === chosen && html` selected`}>${share.days({ count })}</option>`
  })
  const isDraft = field('of') === 'draft'
  const fields = html`<fieldset><legend>${share.of}</legend>
<p><label><input type="radio" name="of" value="guide"${!isDraft && CHECKED}> ${share.guide}</label></p>
<p><label><input type="radio" name="of" value="draft"${isDraft && CHECKED}> ${share.draft}</label></p>
<p class="may"><label><input type="checkbox" name="mayApprove"${field('mayApprove') !== '' && CHECKED}> ${share.mayApprove}</label></p>
</fieldset>
<p><label>${share.name} <input name="name" maxlength="${`${MAX_NAME}`}" value="${field('name')}"></label></p>
<p><label>${share.expires} <select name="expires">${days}</select></label></p>
<p>${button('share', share.make, { isPrimary: true })}</p>`
  return formHtml(token, fields)
}

const DAYS: readonly number[] = [7, 30, 90, 365]
const DEFAULT_EXPIRES = '30d'
const CHECKED = html` checked`

/** Makes a link as `housestyle share` does. */
export const share: ProjectAction = async (context, managed, { field }) => {
  const kind = field('of')
  const name = field('name')
  const lifetimeSeconds = parseDuration(field('expires')) ?? Number.POSITIVE_INFINITY
  const isKind = kind === 'guide' || kind === 'draft'
  if (!isKind || name.length > MAX_NAME || lifetimeSeconds > MAX_LIFETIME_SECONDS)
    return { status: 422, reason: 'form' }
  const { record, person } = managed
  const { workspace, project } = record
  const by = { ...person, name: whoOf(person) }
  const made = await createShare(
    auditedBy(context.access, person),
    {
      workspace,
      project,
      kind,
      name: name === '' ? undefined : name,
      lifetimeSeconds,
      mayApprove: kind === 'draft' && field('mayApprove') !== '',
      by,
    },
    context.store.clock.date(),
  )
  if (!made.ok) return { status: 422, reason: 'form' }
  return { secret: shareUrl(context.site.urls, made.value) }
}

/** The address of a new link, which the page shows once. */
export function madeLink({ manage: { share } }: Words, url: string): Html {
  return html`${share.made}<span class="made"><input value="${url}" aria-label="${share.address}" dir="ltr" readonly><button type="button" class="copy" data-copy="${url}" aria-label="${share.copy}"></button></span>`
}

/**
 * Ends a link to the project. Links to other projects end on their own pages. After a link to the published guide, the
 * page has a form for the addresses of its files, which stay open.
 */
export const endShare: ProjectAction = async (context, managed, { field }) => {
  const { access, store, refresh } = context
  const link = await liveLink(context, managed, field('id'))
  if (!link) return { status: 422, reason: 'link_gone' }
  await shares.end(auditedBy(access, managed.person), link.id, store.clock.date())
  await refresh()
  return link.isDraft ? { action: 'end-draft-share' } : undefined
}

/** Changes the addresses of all files, which stay open after a link has ended. */
export const rotateAddresses: ProjectAction = async ({ access, store, refresh }, { record, person }) => {
  const rotated = await rotateFiles(store, record, auditedBy(access, person).record)
  await refresh()
  return rotated.ok ? undefined : { status: 409, reason: 'project_copying' }
}

/** The live link with an id, if it is one to this project. */
export async function liveLink({ store }: ManageContext, { record }: Managed, id: string) {
  const link = await findLiveShare(store.database, id, store.clock.date())
  return link?.workspace === record.workspace && link.project === record.project ? link : undefined
}
