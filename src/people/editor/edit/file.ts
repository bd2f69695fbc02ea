import { extname } from 'node:path/posix'
import type { Ids } from '#brand/contract/route.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnUpload } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { mentions } from '#site/pages/file-view.ts'
import { formToken } from '../../manage/context.ts'
import { button, unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import type { Editor } from './context.ts'
import { alert, layoutPage } from './edit-view.ts'
import { type EditedProject, editedProject } from './edited-project.ts'
import { saveChange } from './save-file.ts'

/** The page on which a file of the library is replaced, so that its path stays, or removed if nothing uses it. */
export async function fileReply(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const edited = await editedProject(context, request, ids)
  if (!edited || 'status' in edited) return edited
  const path = ids.page
  const file = (await edited.guide.publication.content.files()).get(path)
  const head = path.startsWith('files/') && file ? await edited.files.read(path) : undefined
  if (!file || !head) return undefined
  const used = await usesOf(edited, path)
  const show = (problem?: Word | string) => filePage(context, edited, request, { path, used, problem })
  if (!head.ok) return show(head.problem.message)
  if (request.method !== 'POST') return show()
  const { site } = context.manage
  const form = await readOwnUpload(site.url, request)
  const token = formToken(context.manage, edited.sender)
  if (!form || !equalsInConstantTime(`${form.get('token') ?? ''}`, token)) return foreignForm(context.manage, request)
  const { edit } = edited.guide.words
  const isRemoval = form.get('do') === 'remove'
  if (isRemoval && used) return show(edit.inUse)
  const sent = form.get('file')
  const isRight =
    sent instanceof File && sent.size > 0 && extname(sent.name).toLowerCase() === extname(path).toLowerCase()
  if (!isRemoval && !isRight) return show(edit.otherKind({ kind: extname(path) }))
  const after = sent instanceof File && !isRemoval ? new Uint8Array(await sent.arrayBuffer()) : undefined
  const summary = `${edit[isRemoval ? 'removed' : 'changed']({ page: path })}`
  const saved = await saveChange(context, edited, request, { path, before: head.value, after }, { summary })
  if (!saved.ok) return show(saved.problem)
  if (saved.value.outcome === 'conflict') return show(edit.conflict)
  const query = new URLSearchParams({ saved: saved.value.commit ?? '' })
  return unshared(redirect(303, `${site.here(`/${ids.workspace}/${ids.project}/-/edit/-/files`)}?${query}`))
}

/** What uses a file: pages, type styles, and the settings; undefined if nothing does. */
async function usesOf({ guide }: EditedProject, path: string): Promise<Html | undefined> {
  const { content } = guide.publication
  const file = (await content.files()).get(path)
  const shown = file && (await mentions(guide, [file]))
  const isSet = JSON.stringify(await content.appearance()).includes(JSON.stringify(path))
  const settings = isSet && html`<p>${guide.words.edit.settings}</p>\n`
  return shown || settings ? html`${shown}${settings}` : undefined
}

type Shown = { path: string; used: Html | undefined; problem: Word | string | undefined }

function filePage(
  context: Editor,
  { guide, sender }: EditedProject,
  request: Request,
  { path, used, problem }: Shown,
): Promise<Reply> {
  const { edit, files } = guide.words
  const failed = problem !== undefined && alert(problem)
  const main = html`${failed}${used && html`<h2>${files.usedIn}</h2>\n${used}`}<form method="post" enctype="multipart/form-data">
<input type="hidden" name="token" value="${formToken(context.manage, sender)}">
<p class="field"><label for="file">${edit.newVersion}</label> <input id="file" type="file" name="file" accept="${extname(path)}"></p>
<p class="actions">${button('replace', edit.replace, { isPrimary: true })} ${button('remove', edit.removeFile, { isDisabled: used !== undefined })}</p>
</form>
`
  return layoutPage(context, guide, request, { title: path, main, status: problem === undefined ? 200 : 422 })
}
