import { extname } from 'node:path/posix'
import { parse } from 'yaml'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { attempt, failed, ok } from '#platform/base/result.ts'
import { type Html, html } from '#site/html.ts'
import { mentions } from '#site/pages/file-view.ts'
import { button, formHtml } from '../../manage/form.ts'
import { formPage, listNames } from './edit-view.ts'
import { saveAlone } from './save.ts'
import { draftOf, editAddress, type GuideVisit, guideRoute, savedReply, tokenOf, UPLOAD } from './visit.ts'

/** The page on which a file of the library is replaced, so that its path stays, or removed if nothing uses it. */
export const fileReply = guideRoute(async (visit, { page: path }) => {
  const used = path.startsWith('files/') && (await usesOf(visit, path))
  const head = used ? await visit.files.read(path) : undefined
  if (!used || !head || (head.ok && !head.value)) return undefined
  const { edit, files } = visit.words
  return {
    show: problem => {
      const fields = html`<p class="field"><label for="file">${edit.newVersion}</label> <input id="file" type="file" name="file" accept="${extname(path)}"></p>
<p class="actions">${button('replace', edit.replace, { isPrimary: true })} ${button('remove', edit.removeFile, { isDisabled: used.length > 0 })}</p>`
      const uses = used.length > 0 && html`<h2>${files.usedIn}</h2>\n${used}`
      const main = html`${uses}${formHtml(tokenOf(visit), fields, UPLOAD)}`
      return formPage(visit, { title: path, problem, main })
    },
    answer: async (sent, file) => {
      const isRemoval = sent.get('do') === 'remove'
      if (isRemoval && used.length > 0) return failed(edit.inUse)
      const isSameKind = file && file.size > 0 && extname(file.name).toLowerCase() === extname(path).toLowerCase()
      if (!isRemoval && !isSameKind) return failed(edit.otherKind({ kind: extname(path) }))
      const after = file && !isRemoval ? { file: file.path } : undefined
      const summary = `${edit[isRemoval ? 'removed' : 'changed']({ page: path })}`
      const change = { path, before: 'any', after } as const
      const saved = await saveAlone(visit, [change], { summary, conflict: edit.conflict })
      return saved.ok ? ok(savedReply(visit, editAddress(visit, '-/files'), saved.value)) : saved
    },
  }
})

/** What uses a file of the latest draft: pages, type styles, lists and the settings. Undefined for an unknown file. */
async function usesOf(visit: GuideVisit, path: string): Promise<Html[] | undefined> {
  const { files, words } = visit
  const guide = await draftOf(visit)
  const file = guide && (await guide.publication.content.files()).get(path)
  if (!file) return undefined
  const uses = [await mentions(guide, [file])]
  for (const list of keysOf(EDITED_FILES)) {
    const read = await files.read(EDITED_FILES[list])
    const text = read.ok && read.value ? Buffer.from(read.value).toString() : ''
    const values = JSON.stringify(attempt(() => parse(text)) ?? text)
    // Paths in files.yaml begin in the folder of all files.
    const isNamed = [path, path.slice('files/'.length)].some(each => values.includes(JSON.stringify(each)))
    if (isNamed) uses.push(html`<p><a href="${editAddress(visit, `-/${list}`)}">${listNames(words)[list]}</a></p>\n`)
  }
  return uses.filter(each => each !== undefined)
}
