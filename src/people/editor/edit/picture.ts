import { dirname, extname, relative } from 'node:path/posix'
import type { Ids } from '#brand/contract/route.ts'
import { pagePath } from '#brand/edit-link.ts'
import { isPageId, slug } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnUpload } from '#platform/exchange/own-form.ts'
import { html, type Word } from '#site/html.ts'
import { formToken } from '../../manage/context.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import type { Editor } from './context.ts'
import { alert, layoutPage } from './edit-view.ts'
import { type EditedProject, editedProject } from './edited-project.ts'
import { saveChange } from './save-file.ts'

const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif', '.svg']

/**
 * The form for a picture, `?page={id}`, and the reply to it: the picture is a commit, and the page has the Markdown that
 * shows it on that page, also in `data-markdown` for the script of the editor.
 */
export async function pictureReply(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const edited = await editedProject(context, request, ids)
  if (!edited || 'status' in edited) return edited
  const asked = new URLSearchParams(request.query).get('page') ?? ''
  const page = isPageId(asked) ? asked : HOME_PAGE
  const show = (problem?: Word | string, markdown?: string) =>
    picturePage(context, edited, request, { page, problem, markdown })
  if (request.method !== 'POST') return show()
  const form = await readOwnUpload(context.manage.site.url, request)
  const token = `${form?.get('token') ?? ''}`
  if (!form || !equalsInConstantTime(token, formToken(context.manage, edited.sender)))
    return foreignForm(context.manage, request)
  const { edit } = edited.guide.words
  const [picture, text] = [form.get('picture'), `${form.get('description') ?? ''}`.replaceAll(/\s+/g, ' ').trim()]
  if (!(picture instanceof File) || picture.size === 0 || text === '') return show(edit.noPicture)
  const ending = extname(picture.name).toLowerCase()
  if (!PICTURES.includes(ending)) return show(edit.wrongPicture({ kinds: PICTURES.join(', ') }))
  const path = `files/pictures/${slug(picture.name.slice(0, -ending.length)) || 'picture'}${ending}`
  const existing = await edited.files.read(path)
  if (!existing.ok) return show(existing.problem.message)
  const after = new Uint8Array(await picture.arrayBuffer())
  if (existing.value && Buffer.compare(existing.value, after) !== 0) return show(edit.samePicture({ path }))
  const summary = `${edit.added({ page: path })}`
  const saved = await saveChange(context, edited, request, { path, before: existing.value, after }, { summary })
  if (!saved.ok) return show(saved.problem)
  if (saved.value.outcome === 'conflict') return show(edit.samePicture({ path }))
  const from = dirname(pagePath(edited.files.paths, page))
  return show(undefined, `![${text.replaceAll(/[\\[\]<`]/g, '\\$&')}](${encodeURI(relative(from, path))})`)
}

type Shown = { page: string; problem: Word | string | undefined; markdown: string | undefined }

function picturePage(
  context: Editor,
  { guide, sender }: EditedProject,
  request: Request,
  { page, problem, markdown }: Shown,
): Promise<Reply> {
  const { site } = context.manage
  const { edit } = guide.words
  const { workspace, project } = guide.publication.record
  const back = site.here(`/${workspace}/${project}/-/edit/${page}`)
  const done =
    markdown !== undefined &&
    html`<div class="result done" role="status" data-markdown="${markdown}"><p>${edit.pictureSaved}</p>
<pre dir="auto">${markdown}</pre></div>
`
  const main = html`${problem !== undefined && alert(problem)}${done}<form method="post" enctype="multipart/form-data">
<input type="hidden" name="token" value="${formToken(context.manage, sender)}">
<p class="field"><label for="picture">${edit.picture}</label> <input id="picture" type="file" name="picture" accept="${PICTURES.join(',')}" required></p>
<p class="field"><label for="description">${edit.pictureText}</label> <input id="description" name="description" required maxlength="500" autocomplete="off"></p>
<p class="actions"><button class="primary">${edit.addPicture}</button> <a class="button" href="${back}">${edit.back}</a></p>
</form>
`
  return layoutPage(context, guide, request, {
    title: edit.addPicture,
    main,
    status: problem === undefined ? 200 : 422,
  })
}
