import { failed } from '#platform/base/result.ts'
import { fieldText } from '#platform/base/text.ts'
import type { FileHistory, Version } from '#publishing/git/edit/history.ts'
import { type Html, html } from '#site/html.ts'
import { button, formHtml } from '../../manage/form.ts'
import { timeHtml } from '../../manage/manage-page.ts'
import type { EditedFiles, Visit } from './context.ts'
import { problemText, saveAlone } from './save.ts'
import { type Target, targetAddress, targetOf } from './target.ts'
import { targetName } from './target-name.ts'
import { editAddress, type FormPage, guideRoute, type Page, savedReply, tokenOf } from './visit.ts'

/** The history of a file with who changed what, and the buttons that save an earlier version again. */
export const historyReply = guideRoute((visit, { page }) => {
  const target = targetOf(visit.files.paths, page)
  const { history } = visit.files
  if (!target || !history) return undefined
  return {
    show: () => historyPage(visit, target, history),
    answer: sent => restore(visit, target, history, sent),
  }
})

/** The link to the history of a file, which a folder does not have. */
export function historyLink(visit: Visit, target: Target): Html | undefined {
  const address = editAddress(visit, `-/history/${targetAddress(target)}`)
  return visit.files.history && html`<p><a href="${address}">${visit.words.edit.history}</a></p>\n`
}

type History = NonNullable<EditedFiles['history']>

/** The page with the versions of a file; with `?version={hash}`, above them the text of that one. */
async function historyPage(visit: Visit, target: Target, history: History): Promise<Page | undefined> {
  const { words, request } = visit
  const { edit } = words
  const opened = new URLSearchParams(request.query).get('version') ?? ''
  const found = await history(target.path, [opened])
  const title = edit.historyOf({ page: await targetName(visit, target) })
  const back = html`<p><a href="${editAddress(visit, targetAddress(target))}">${edit.edit}</a></p>\n`
  if (!found.ok) return { title, main: back, problem: problemText(words, found.problem) }
  const bytes = found.value.contents.get(opened)
  const text = bytes && html`<pre class="version">${new TextDecoder().decode(bytes)}</pre>\n`
  return { title, main: html`${back}${text}${versionList(visit, found.value, opened)}` }
}

/** The versions, the newest first. All but the newest can be restored. */
function versionList(visit: Visit, { versions, isWhole }: FileHistory, opened: string): Html {
  const { edit } = visit.words
  const items = versions.map((version, at) => {
    const { hash, author, subject } = version
    const isOpened = hash === opened
    const when = html`<a href="?version=${hash}"${isOpened && html` aria-current="true"`}>${timeHtml(visit.words, version.at)}</a>`
    return html`<li>${when} <bdi>${author}</bdi> <bdi>${subject}</bdi>${at > 0 && restoreForm(visit, version, versions)}</li>\n`
  })
  return html`<ol class="versions">\n${items}</ol>\n${!isWhole && html`<p class="quiet">${edit.earlierVersions}</p>\n`}`
}

function restoreForm(visit: Visit, { hash }: Version, [newest]: readonly Version[]): Html {
  const fields = html`<input type="hidden" name="commit" value="${hash}"><input type="hidden" name="newest" value="${newest?.hash}">`
  return formHtml(tokenOf(visit), html`${fields}${button('bring-back', visit.words.edit.restoreVersion)}`)
}

/** Saves a version as the person saw it in the history, unless somebody has changed the file since. */
async function restore(
  visit: Visit,
  target: Target,
  history: History,
  sent: URLSearchParams,
): ReturnType<FormPage['answer']> {
  const { words } = visit
  const { edit } = words
  const { path } = target
  const [newest, commit] = [fieldText(sent, 'newest'), fieldText(sent, 'commit')]
  const found = await history(path, [newest, commit])
  if (!found.ok) return failed(problemText(words, found.problem))
  const { contents } = found.value
  const after = contents.get(commit)
  if (after === undefined) return failed(edit.notRestored)
  const page = await targetName(visit, target)
  const summary = `${edit.restored({ page })}`
  const changes = [{ path, before: contents.get(newest), after }]
  return savedReply(
    visit,
    editAddress(visit, targetAddress(target)),
    await saveAlone(visit, changes, { summary, conflict: edit.notRestored }),
  )
}
