import { dirname, extname, relative } from 'node:path/posix'
import { pagePath } from '#brand/edit-link.ts'
import { isPageId, slug } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Reply } from '#platform/exchange/message.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import { html, type Word } from '#site/html.ts'
import { formHtml } from '../../manage/form.ts'
import { formPage } from './edit-view.ts'
import { saveAlone } from './save.ts'
import { editAddress, type GuideVisit, guideRoute, tokenOf, UPLOAD } from './visit.ts'

const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif', '.svg']

/**
 * The form for a picture, `?page={id}`, and the reply to it: the picture is a commit, and the reply has the Markdown that
 * shows it on that page, also in `data-markdown`.
 */
export const pictureReply = guideRoute(visit => {
  const asked = new URLSearchParams(visit.request.query).get('page') ?? ''
  const page = isPageId(asked) ? asked : HOME_PAGE
  return {
    show: (problem, sent) => pictureForm(visit, page, { problem, description: sent?.get('description') ?? '' }),
    answer: async (sent, file) => {
      const description = (sent.get('description') ?? '').replaceAll(/\s+/g, ' ').trim()
      const saved = await savePicture(visit, description, file)
      if (!saved.ok) return saved
      const path = encodeURI(relative(dirname(pagePath(visit.files.paths, page)), saved.value))
      const markdown = `![${description.replaceAll(/[\\[\]<`]/g, '\\$&')}](${path})`
      return ok(await pictureForm(visit, page, { markdown }))
    },
  }
})

/** Saves a picture at a free path, which it returns. */
async function savePicture(
  visit: GuideVisit,
  description: string,
  file: SentFile | undefined,
): Promise<Result<string, Word>> {
  const { edit } = visit.words
  if (!file || file.size === 0 || description === '') return failed(edit.noPicture)
  const ending = extname(file.name).toLowerCase()
  if (!PICTURES.includes(ending)) return failed(edit.wrongPicture({ kinds: PICTURES.join(', ') }))
  const own = file.name.slice(0, -ending.length)
  // Browsers give pasted pictures this name.
  const name = slug(own === 'image' ? description.slice(0, MAX_NAME) : own) || 'picture'
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const path = `files/pictures/${name}${number === 1 ? '' : `-${number}`}${ending}`
    const taken = edit.samePicture({ path })
    const summary = `${edit.added({ page: path })}`
    const change = { path, before: undefined, after: { file: file.path } }
    const saved = await saveAlone(visit, [change], { summary, conflict: taken })
    if (saved.ok) return ok(path)
    if (saved.problem !== taken || number === MAX_NUMBER) return saved
  }
  return failed(edit.noPicture)
}

const MAX_NAME = 60
const MAX_NUMBER = 20

type Shown = { problem?: Word | undefined; description?: string; markdown?: string }

function pictureForm(visit: GuideVisit, page: string, { problem, description, markdown }: Shown): Promise<Reply> {
  const { edit } = visit.words
  const done =
    markdown !== undefined &&
    html`<div class="result done" role="status" data-markdown="${markdown}"><p>${edit.pictureSaved}</p>
<pre dir="auto">${markdown}</pre></div>
`
  const fields = html`<p class="field"><label for="description">${edit.pictureText}</label> <input id="description" name="description" required maxlength="500" value="${description ?? ''}" autocomplete="off"></p>
<p class="field"><label for="picture">${edit.picture}</label> <input id="picture" type="file" name="picture" accept="${PICTURES.join(',')}" required></p>
<p class="actions"><button class="primary">${edit.addPicture}</button> <a class="button" href="${editAddress(visit, page)}">${edit.back}</a></p>`
  return formPage(visit, {
    title: edit.addPicture,
    problem,
    main: html`${done}${formHtml(tokenOf(visit), fields, UPLOAD)}`,
  })
}
