import { extname } from 'node:path/posix'
import { EDITED_FILES, pagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { isPicture } from '#brand/file.ts'
import { isPageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { fieldText, singleSpaced } from '#platform/base/text.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { mentions } from '#site/pages/file-view.ts'
import { isShowable, shownAddress } from '#site/thumbnails/thumbnail.ts'
import { button, formHtml } from '../../manage/form.ts'
import { runTask, type Visit } from './context.ts'
import { readFile, saveAlone } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { acceptFile, acceptPicture, markdownOf, PICTURES, placeNote } from './sent-picture.ts'
import { listNames } from './target.ts'
import { draftOf, editAddress, type FormPage, guideRoute, inputField, savedReply, tokenOf, UPLOAD } from './visit.ts'

/** The page on which a file of the library is replaced, so that its path stays, or removed if nothing uses it. */
export const fileReply = guideRoute(async (visit, { page: path }) => {
  const file = path.startsWith('files/') ? await findFile(visit, path) : undefined
  if (!file) return undefined
  const { uses, picture } = file
  const { edit, files } = visit.words
  return {
    show: async sent => {
      const saved = !sent && (await savedHtml(visit, { path, shown: `/-/file/${path}` }))
      const fields = html`${inputField('file', edit.newVersion, html`type="file" accept="${extname(path)}"`)}
<p class="actions">${button('replace', edit.replace, { isPrimary: true })} ${button('remove', edit.removeFile, { isDisabled: uses.length > 0 })} ${saved}</p>`
      const main = html`${picture}${uses.length > 0 && html`<h2>${files.usedIn}</h2>\n${uses}`}${formHtml(tokenOf(visit), fields, UPLOAD)}`
      return { title: path, main }
    },
    // Two buttons send the form.
    answer: (sent, [newVersion]) =>
      sent.get('do') === 'remove' ? removeFile(visit, path, uses) : replaceFile(visit, path, newVersion),
  }
})

async function removeFile(visit: Visit, path: string, uses: readonly Html[]): ReturnType<FormPage['answer']> {
  const { edit } = visit.words
  if (uses.length > 0) return failed(edit.inUse)
  const saved = await saveFile(visit, path, undefined, edit.removed({ page: path }))
  return savedReply(visit, editAddress(visit, '-/files'), saved)
}

async function replaceFile(
  visit: Visit,
  path: string,
  newVersion: SentFile | undefined,
): ReturnType<FormPage['answer']> {
  const { edit } = visit.words
  const kind = extname(path)
  const isSameKind = extname(newVersion?.name ?? '').toLowerCase() === kind.toLowerCase()
  if (!newVersion || newVersion.size === 0 || !isSameKind) return failed(edit.otherKind({ kind }))
  const accepted = await acceptFile(visit, newVersion)
  if (!accepted.ok) return accepted
  const saved = await saveFile(visit, path, { file: newVersion.path }, edit.changed({ page: path }))
  return savedReply(visit, editAddress(visit, `-/file/${path}`), saved, placeNote(accepted.value))
}

/** Saves the new content of a file, or without any removes the file. */
function saveFile(visit: Visit, path: string, after: { file: string } | undefined, summary: Html | Word) {
  const { conflict } = visit.words.edit
  return saveAlone(visit, [{ path, before: 'any', after }], { summary: `${summary}`, conflict })
}

/** A file of the latest draft, and what uses it: pages, type styles, lists and the settings. */
async function findFile(visit: Visit, path: string): Promise<{ uses: Html[]; picture: Html | undefined } | undefined> {
  const guide = await draftOf(visit)
  const { content, record } = guide.publication
  const file = (await content.files()).get(path)
  // The draft may have a file that the branch does not have any more.
  const current = await visit.files.read(path)
  if (!file || (current.ok && !current.value)) return undefined
  const lists = keysOf(EDITED_FILES)
  const texts = await Promise.all(lists.map(list => textOf(visit, EDITED_FILES[list])))
  // Paths in files.yaml begin in the folder of all files.
  const naming = await runTask(visit, 'names', { lists: texts, paths: [path, path.slice('files/'.length)] })
  // A list for which that is unknown may name the file, and counts as a use.
  const links = lists
    .filter((_, at) => naming?.named[at] !== false)
    .map(list => html`<p><a href="${editAddress(visit, `-/${list}`)}">${listNames(visit.words)[list]}</a></p>\n`)
  const uses = [await mentions(guide, [file]), ...links]
  const address = isPicture(file) && isShowable(file) && shownAddress(record, file, guide.site.paths)
  return {
    uses: uses.filter(each => each !== undefined),
    picture: address ? html`<p class="picture"><img src="${address}" alt=""></p>\n` : undefined,
  }
}

/** The text of a file; empty if there is none, or it cannot be read. */
async function textOf({ files }: Visit, path: string): Promise<string> {
  const read = await files.read(path)
  return read.ok && read.value ? Buffer.from(read.value).toString() : ''
}

/**
 * The form for a picture, `?page={id}`, and the reply to it: the picture is a commit, and the reply has the Markdown that
 * shows it on that page, also in `data-markdown`.
 */
export const pictureReply = guideRoute(visit => {
  const { edit } = visit.words
  const pageInQuery = fieldText(new URLSearchParams(visit.request.query), 'page')
  const page = isPageId(pageInQuery) ? pageInQuery : HOME_PAGE
  const form = (description = '', done?: Html) => {
    const text = html`required maxlength="${MAX_DESCRIPTION}" value="${description}"`
    const file = html`type="file" accept="${PICTURES.join(',')}" required`
    const fields = html`${inputField('description', edit.pictureText, text)}${inputField('picture', edit.picture, file)}
<p class="actions"><button class="primary">${edit.addPicture}</button> <a class="button" href="${editAddress(visit, page)}">${edit.back}</a></p>`
    return { title: edit.addPicture, main: html`${done}${formHtml(tokenOf(visit), fields, UPLOAD)}` }
  }
  return {
    show: sent => form((sent?.get('description') ?? '').slice(0, MAX_DESCRIPTION)),
    answer: async (sent, [file]) => {
      const description = singleSpaced(fieldText(sent, 'description').slice(0, MAX_DESCRIPTION))
      const saved = await savePicture(visit, description, file)
      if (!saved.ok) return saved
      const { isCleaned, path } = saved.value
      const markdown = markdownOf(pagePath(visit.files.paths, page), path, description)
      const done = html`<div class="result done" role="status" data-markdown="${markdown}"><p>${edit.pictureSaved}</p>
<pre dir="auto">${markdown}</pre>
${isCleaned && html`<p data-note>${edit.placeRemoved}</p>\n`}</div>
`
      return ok(form('', done))
    },
  }
})

/**
 * Saves a picture at a free path, which it returns: `logo.png`, else `logo-2.png` and so on. Its metadata about where it was
 * taken are removed. The pictures of a page that does not exist yet (`?draft`) arrive with the page; they only get a path,
 * and the query names the paths that others of the page have already (`taken`).
 */
async function savePicture(
  visit: Visit,
  description: string,
  file: SentFile | undefined,
): Promise<Result<{ path: string; isCleaned: boolean }, Html | Word>> {
  const { edit } = visit.words
  const query = new URLSearchParams(visit.request.query)
  if (!file || description === '') return failed(edit.noPicture)
  const accepted = await acceptPicture(visit, file, description)
  if (!accepted.ok) return accepted
  const { pathOf, isCleaned } = accepted.value
  const taken = query.getAll('taken')
  /** Saves the picture at a path, or only checks it for a draft. The problem is `conflict` if there is another file. */
  const claim = async (path: string, conflict: Word): Promise<Result<unknown, Html | Word>> => {
    if (taken.includes(path)) return failed(conflict)
    if (query.has('draft')) {
      const existing = await readFile(visit, path)
      return existing.ok && existing.value ? failed(conflict) : existing
    }
    const change = { path, before: undefined, after: { file: file.path } }
    return saveAlone(visit, [change], { summary: `${edit.added({ page: path })}`, conflict })
  }
  for (let number = 1; ; number++) {
    const path = pathOf(number)
    const conflict = edit.samePicture({ path })
    const claimed = await claim(path, conflict)
    if (claimed.ok) return ok({ path, isCleaned })
    if (claimed.problem !== conflict || number === MAX_NUMBER) return claimed
  }
}

/** The most paths that are tried. */
const MAX_NUMBER = 20
const MAX_DESCRIPTION = 500
