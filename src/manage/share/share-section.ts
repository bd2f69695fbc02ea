import { MAX_NAME } from '../../access/families.ts'
import { type Html, html } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'
import { listShares, type ShareRecord } from '../../store/access/shares.ts'
import { reportDamaged } from '../../store/database/damaged-row.ts'
import type { ManageContext, Managed } from '../context.ts'
import { button, endForm, formHtml } from '../form.ts'

/** The part of a project's page with its live share links, newest first, and the form that makes one. */
export async function shareSection(
  { store, reportRows }: ManageContext,
  words: Words,
  { record }: Managed,
  token: string,
): Promise<Html> {
  const { share } = words.manage
  const now = store.clock.date()
  const links = reportDamaged(await listShares(store.database), reportRows).filter(
    ({ workspace, project, revokedAt, expiresAt }) =>
      workspace === record.workspace && project === record.project && !revokedAt && expiresAt > now,
  )
  return html`<section aria-labelledby="Share">
<h2 id="Share">${share.title}</h2>
<p>${share.lead}</p>
${links.length > 0 && html`<ul class="entries">\n${links.map(link => linkEntry(words, link, token))}</ul>\n`}${makeForm(words, token)}</section>
`
}

function linkEntry(words: Words, { id, name, isDraft, mayApprove, madeBy, ...link }: ShareRecord, token: string): Html {
  const { share } = words.manage
  const label = name ?? `${share.unnamed}`
  const facts = words.list([
    isDraft ? share.draft : share.guide,
    mayApprove ? share.approves : undefined,
    madeBy === undefined ? undefined : share.madeBy({ who: madeBy }),
    share.madeOn({ day: words.day(link.createdAt) }),
    share.until({ day: words.day(link.expiresAt) }),
    link.lastUsedAt ? share.lastUsed({ day: words.day(link.lastUsedAt) }) : share.unused,
  ])
  return html`<li><div><strong><bdi>${label}</bdi></strong> <span>${facts}</span></div>
${endForm(token, id, button('end-share', share.end, { name: share.endOf({ name: label }) }))}</li>
`
}

function makeForm({ manage: { share } }: Words, token: string): Html {
  const days = DAYS.map(
    count =>
      html`<option value="${`${count}d`}"${count === DEFAULT_DAYS && html` selected`}>${share.days({ count })}</option>`,
  )
  const fields = html`<fieldset><legend>${share.of}</legend>
<p><label><input type="radio" name="of" value="guide" checked> ${share.guide}</label></p>
<p><label><input type="radio" name="of" value="draft"> ${share.draft}</label></p>
<p class="may"><label><input type="checkbox" name="mayApprove"> ${share.mayApprove}</label></p>
</fieldset>
<p><label>${share.name} <input name="name" maxlength="${`${MAX_NAME}`}"></label></p>
<p><label>${share.expires} <select name="expires">${days}</select></label></p>
<p>${button('share', share.make)}</p>`
  return formHtml(token, fields, 'Share')
}

const DAYS: readonly number[] = [7, 30, 90, 365]
const DEFAULT_DAYS = 30
