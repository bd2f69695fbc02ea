import { stringify } from 'yaml'
import { isPageId, slug } from '#brand/ids.ts'
import { failed, ok } from '#platform/base/result.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { treeOf } from '#site/guide/guide.ts'
import { inTreeOrder } from '#site/guide/page-tree.ts'
import { html } from '#site/html.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import { formPage } from './edit-view.ts'
import { saveAlone } from './save.ts'
import { targetOf } from './target.ts'
import { editAddress, guideRoute, pageAt, tokenOf } from './visit.ts'

/** The form for a new page, and the reply to it: the page is a commit with its title, and opens in the editor. */
export const newPageReply = guideRoute(visit => {
  const { edit } = visit.words
  return {
    show: async (problem, sent) => {
      const pages = inTreeOrder(await treeOf(visit.guide)).map(
        ({ id, name }) => html`<option value="${id}"${id === sent?.get('below') && html` selected`}>${name}</option>\n`,
      )
      const fields = html`<p class="field"><label for="title">${edit.pageTitle}</label> <input id="title" name="title" required maxlength="200" value="${sent?.get('title') ?? ''}" autocomplete="off"></p>
<p class="field"><label for="below">${edit.below}</label> <select id="below" name="below"><option value="">–</option>
${pages}</select></p>
<p class="actions"><button class="primary">${edit.makePage}</button></p>`
      return formPage(visit, { title: edit.newPage, problem, main: formHtml(tokenOf(visit), fields) })
    },
    answer: async sent => {
      const title = (sent.get('title') ?? '').replaceAll(/\s+/g, ' ').trim()
      const id = [sent.get('below'), slug(title)].filter(Boolean).join('/')
      const target = targetOf(visit.files.paths, id, isPageId)
      if (slug(title) === '' || target?.kind !== 'page') return failed(edit.noTitle)
      const { path } = target
      const existing = await visit.files.read(path)
      if (await pageAt(visit, id)) return failed(edit.taken)
      if (!existing.ok || existing.value) return failed(existing.ok ? edit.taken : existing.problem.message)
      const after = Buffer.from(`---\n${stringify({ title }, { lineWidth: 0 })}---\n\n# ${title}\n`)
      const summary = `${edit.added({ page: title })}`
      const saved = await saveAlone(visit, [{ path, before: undefined, after }], { summary, conflict: edit.taken })
      return saved.ok ? ok(unshared(redirect(303, editAddress(visit, id)))) : saved
    },
  }
})
