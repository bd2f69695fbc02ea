import { basename } from 'node:path/posix'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { folderOf } from '#brand/file.ts'
import { safeName, visibleName } from '#brand/portable-paths.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { fieldText } from '#platform/base/text.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { button, formHtml } from '../../manage/form.ts'
import type { Visit } from './context.ts'
import { readFile, saveAlone } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { acceptFile, placeNote } from './sent-picture.ts'
import { draftOf, editAddress, type FormPage, guideRoute, inputField, savedReply, tokenOf, UPLOAD } from './visit.ts'

/** The page that adds files of any kind to a folder of the library, all of them as one commit. */
export const uploadReply = guideRoute(visit => ({
  show: async sent => ({ title: visit.words.edit.upload, main: await formOf(visit, sent) }),
  answer: (sent, files) => upload(visit, fieldText(sent, 'folder'), files),
}))

async function formOf(visit: Visit, sent: URLSearchParams | undefined): Promise<Html> {
  const { edit } = visit.words
  const { content } = (await draftOf(visit)).publication
  const paths = [...(await content.files()).keys()].filter(path => path.startsWith(`${ROOT}/`))
  const folders = [...new Set(paths.map(path => folderOf(path).slice(ROOT.length + 1)))].filter(Boolean).sort()
  const choices = folders.map(folder => html`<option value="${folder}"></option>`)
  const folder = html`list="folders" maxlength="200" value="${fieldText(sent ?? new URLSearchParams(), 'folder')}"`
  const saved = !sent && (await savedHtml(visit, { path: ROOT, shown: '/-/files' }))
  const fields = html`${inputField('folder', edit.uploadFolder, folder)}<datalist id="folders">${choices}</datalist>
${inputField('files', edit.uploadFiles, html`type="file" multiple required`)}<p><small>${edit.uploadHint}</small></p>
<p class="actions">${button('upload', edit.upload, { isPrimary: true })} ${saved}</p>`
  return formHtml(tokenOf(visit), fields, UPLOAD)
}

/** The folder of all files of a guide. */
const ROOT = 'files'

/** Saves files in a folder at which there are none; a problem names its file, and saves none of them. */
async function upload(visit: Visit, folder: string, files: readonly SentFile[]): ReturnType<FormPage['answer']> {
  const { edit } = visit.words
  if (files.length === 0) return failed(edit.noFiles)
  const changes: FileChange[] = []
  let isCleaned = false
  for (const file of files) {
    const added = await changeOf(visit, folder, file)
    if (!added.ok) return failed(html`<bdi>${basename(file.name)}</bdi>: ${added.problem}`)
    changes.push(added.value.change)
    isCleaned ||= added.value.isCleaned
  }
  const names = changes.map(({ path }) => basename(path)).join(', ')
  const saved = await saveAlone(visit, changes, { summary: `${edit.added({ page: names })}`, conflict: edit.noFiles })
  return savedReply(visit, editAddress(visit, '-/upload'), saved, placeNote(isCleaned))
}

/** The change that adds a file, at a path that a guide does not ignore and that works on any disk. */
async function changeOf(
  visit: Visit,
  folder: string,
  file: SentFile,
): Promise<Result<{ change: FileChange; isCleaned: boolean }, Html | Word>> {
  const names = [...folder.split('/'), basename(file.name.replaceAll('\\', '/'))]
  const path = [ROOT, ...names.map(name => safeName(visibleName(name.trim()))).filter(Boolean)].join('/')
  const existing = await readFile(visit, path)
  if (!existing.ok) return existing
  if (existing.value || path === EDITED_FILES.files) return failed(visit.words.edit.fileTaken({ path }))
  const accepted = await acceptFile(visit, file)
  if (!accepted.ok) return accepted
  return ok({ change: { path, before: undefined, after: { file: file.path } }, isCleaned: accepted.value })
}
