import type { Ids } from '#brand/contract/route.ts'
import { isPageId, slug } from '#brand/ids.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { treeOf } from '#site/guide/guide.ts'
import { inTreeOrder } from '#site/guide/page-tree.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { formToken } from '../../manage/context.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { changedText, openText } from '../source/edited-text.ts'
import type { Editor } from './context.ts'
import { alert, layoutPage } from './edit-view.ts'
import { type EditedProject, editedProject } from './edited-project.ts'
import { saveFile } from './save-file.ts'
import { targetOf } from './target.ts'

const MAX_FORM_BYTES = 16 << 10

/** The form for a new page, and the reply to it: the page is a commit with its title, and opens in the editor. */
export async function newPageReply(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const edited = await editedProject(context, request, ids)
  if (!edited || 'status' in edited) return edited
  if (request.method !== 'POST') return newPage(context, edited, request)
  const { site } = context.manage
  const form = readOwnForm(site.url, request, { maxBytes: MAX_FORM_BYTES })
  const token = formToken(context.manage, edited.sender)
  if (!form || !equalsInConstantTime(form.get('token') ?? '', token)) return foreignForm(context.manage, request)
  const { edit } = edited.guide.words
  const title = (form.get('title') ?? '').replaceAll(/\s+/g, ' ').trim()
  const id = [form.get('below'), slug(title)].filter(Boolean).join('/')
  const target = targetOf(edited.files.paths, id, isPageId)
  if (title === '' || slug(title) === '' || target?.kind !== 'page')
    return newPage(context, edited, request, { title, problem: edit.noTitle })
  const existing = await edited.files.read(target.path)
  if (!existing.ok || existing.value)
    return newPage(context, edited, request, { title, problem: existing.ok ? edit.taken : existing.problem.message })
  const text = changedText('page', openText('page', ''), [{ path: ['title'], value: title }], `# ${title}`)
  if (!text.ok) return newPage(context, edited, request, { title, problem: edit.noTitle })
  const saved = await saveFile(context, edited, request, {
    target,
    base: '',
    text: text.value,
    summary: `${edit.added({ page: title })}`,
  })
  if (!saved.ok || saved.value.outcome === 'conflict')
    return newPage(context, edited, request, { title, problem: saved.ok ? edit.taken : saved.problem })
  return unshared(redirect(303, site.here(`/${ids.workspace}/${ids.project}/-/edit/${id}`)))
}

type Attempt = { title: string; problem: Word | string }

async function newPage(
  context: Editor,
  edited: EditedProject,
  request: Request,
  { title, problem }: Partial<Attempt> = {},
): Promise<Reply> {
  const { guide, sender } = edited
  const { edit } = guide.words
  const pages = inTreeOrder(await treeOf(guide)).map(({ id, name }) => html`<option value="${id}">${name}</option>\n`)
  const fields: Html = html`<p class="field"><label for="title">${edit.pageTitle}</label> <input id="title" name="title" required maxlength="200" value="${title ?? ''}" autocomplete="off"></p>
<p class="field"><label for="below">${edit.below}</label> <select id="below" name="below"><option value="">–</option>
${pages}</select></p>
<p class="actions"><button class="primary">${edit.makePage}</button></p>`
  const main = html`${problem !== undefined && alert(problem)}${formHtml(formToken(context.manage, sender), fields)}`
  return layoutPage(context, guide, request, { title: edit.newPage, main, status: problem === undefined ? 200 : 422 })
}
