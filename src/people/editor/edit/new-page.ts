import { slug } from '#brand/ids.ts'
import { failed, ok } from '#platform/base/result.ts'
import { fieldText, singleSpaced } from '#platform/base/text.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { treeOf } from '#site/guide/guide.ts'
import { inTreeOrder } from '#site/guide/page-tree.ts'
import { type Html, html } from '#site/html.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import type { Visit } from './context.ts'
import { readFile } from './save.ts'
import { targetOf } from './target.ts'
import { editAddress, type FormPage, guideRoute, inputField, pageAt, tokenOf } from './visit.ts'

/** The form for a new page, and the reply to it: its form in the editor, which makes the page once it is saved. */
export const newPageReply = guideRoute(visit => ({
  show: async sent => ({ title: visit.words.edit.newPage, main: await formOf(visit, sent) }),
  answer: sent => openNewPage(visit, sent),
}))

async function formOf(visit: Visit, sent: URLSearchParams | undefined): Promise<Html> {
  const { edit } = visit.words
  const pages = inTreeOrder(await treeOf(visit.guide)).map(
    ({ id, name }) => html`<option value="${id}"${id === sent?.get('below') && html` selected`}>${name}</option>\n`,
  )
  const title = html`required maxlength="200" value="${sent?.get('title') ?? ''}"`
  const fields = html`${inputField('title', edit.pageTitle, title)}<p class="field"><label for="below">${edit.below}</label> <select id="below" name="below"><option value="">–</option>
${pages}</select></p>
<p class="actions"><button class="primary">${edit.makePage}</button></p>`
  return formHtml(tokenOf(visit), fields)
}

/** Leads to the form of a page with this title, unless there is one already. */
async function openNewPage(visit: Visit, sent: URLSearchParams): ReturnType<FormPage['answer']> {
  const { edit } = visit.words
  const title = singleSpaced(fieldText(sent, 'title'))
  // `logo/clear-space` for "Clear space" below the page `logo`.
  const id = [sent.get('below'), slug(title)].filter(Boolean).join('/')
  const target = targetOf(visit.files.paths, id)
  if (slug(title) === '' || target?.kind !== 'page') return failed(edit.noTitle)
  const existing = await readFile(visit, target.path)
  const page = await pageAt(visit, id)
  if (!existing.ok) return existing
  if (existing.value || page) {
    const address = editAddress(visit, page?.id ?? id)
    return failed(html`${edit.taken} <a href="${address}">${page?.name ?? title}</a>`)
  }
  return ok(unshared(redirect(303, `${editAddress(visit, id)}?${new URLSearchParams({ title })}`)))
}
