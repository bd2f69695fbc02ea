import { goneProblem, type SourceState } from '#publishing/git/pull/source-state.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { button } from '../../manage/form.ts'
import { inEnglish } from '../fields.ts'
import type { Saving } from './save.ts'
import type { Target } from './target.ts'

/**
 * What became of a saved change. `folder`: saved in a folder, which is not imported from a branch; `waiting` for its import;
 * `review`: someone has to approve or publish it first; `live`: published; or refused by the import.
 */
export type SavedState = { state: 'folder' | 'waiting' | 'review' | 'live' } | { state: 'refused'; message: string }

/** A commit about which someone asks, and what the service knows. */
export type CommitQuestion = {
  commit: string
  /** The path in the repository of the file or folder that it may have changed. */
  path: string
  askedAt: Date
  source: SourceState
  project: string
  /** The revision that this process serves, which may be a moment older than the store. */
  published: { revision: number } | undefined
}

/**
 * What became of a commit. It counts as read once it is the commit that was imported last, or once a check of the branch
 * began and ended since `askedAt`: then, later commits include it.
 */
export function commitState({ commit, path, askedAt, source, project, published }: CommitQuestion): SavedState {
  const { failure, publish } = source
  if (failure) return failure.commit?.hash === commit ? { state: 'refused', message: failure.message } : WAITING
  const isImported = source.commit?.hash === commit
  // Without a time, there was no check, and the comparisons are false.
  const beganMs = Date.parse(`${source.checkedAt}`)
  const endedMs = Date.parse(`${source.goodAt}`)
  const isChecked = beganMs >= askedAt.getTime() && endedMs >= beganMs
  if (!isImported && !isChecked) return WAITING
  // A finding outside all projects may name the folder of one that the person does not see.
  const errors = source.findings.filter(
    ({ severity, project: place }) => severity === 'error' && (place === null ? isImported : place === project),
  )
  // First, an error in the file that was saved; else, any error.
  const errorsOfFile = errors.filter(error => error.path === path || error.path.startsWith(`${path}/`))
  const [firstError] = [...errorsOfFile, ...errors]
  if (firstError)
    return { state: 'refused', message: `${firstError.path}:${firstError.line ?? 1} ${firstError.message}` }
  const gone = isImported && goneProblem(source, { workspace: `${source.workspace}`, project })
  if (gone) return { state: 'refused', message: gone }
  const importedProject = source.projects.find(each => each.project === project)
  if (importedProject?.imported === false) return { state: 'refused', message: `${source.errors} errors` }
  if (publish !== 'auto') return { state: 'review' }
  const isLive = importedProject && published && published.revision >= (importedProject.revision ?? 0)
  return isLive ? { state: 'live' } : WAITING
}

const WAITING: SavedState = { state: 'waiting' }

/** A saved file, and the text of the link to it. */
type SavedFile = Pick<Target, 'path' | 'shown'> & { open?: Word }

/**
 * The state of the save that the address of a page names, for the buttons of a form, with a link to the file and the button
 * that undoes the save: `?saved={hash}&at={milliseconds}`, without a hash if no commit was needed, or in a folder;
 * undefined without both. The script asks again while a commit waits.
 */
export async function savedHtml(
  visit: Saving,
  { path, shown, open = visit.words.edit.open }: SavedFile,
): Promise<Html | undefined> {
  const { files, guide, record, request, words } = visit
  const { edit } = words
  const query = new URLSearchParams(request.query)
  const commit = query.get('saved')
  if (commit === null || !/^(?:[0-9a-f]{40,64})?$/.test(commit)) return undefined
  const source = commit === '' ? undefined : await files.state?.()
  const askedAt = new Date(Number(query.get('at')))
  const result: SavedState = source
    ? commitState(await questionAbout(visit, path, { commit, askedAt, source }))
    : { state: 'folder' }
  const link = html`<a href="${guide.site.paths.below(record, shown) || '/'}">${open}</a>`
  const undo = html`<input type="hidden" name="commit" value="${commit}">${button('undo', edit.undo)}`
  return html`<span class="result ${result.state === 'refused' ? 'failed' : 'done'}" role="status" data-state="${result.state}">${stateText(visit, result, link)}</span>
${query.get('place') === 'removed' && html`<span class="result done">${edit.placeRemoved}</span>`}
${source && undo}`
}

/** The question about a commit that changed the file or folder at a path of the guide. */
async function questionAbout(
  { context, files, record: { workspace, project } }: Saving,
  path: string,
  about: Pick<CommitQuestion, 'commit' | 'askedAt' | 'source'>,
): Promise<CommitQuestion> {
  const pathInRepository = [about.source.path, files.paths.folder, path].filter(Boolean).join('/')
  const { projects } = (await context.manage.site.service.pointers.workspace(workspace)) ?? {}
  return { ...about, path: pathInRepository, project, published: projects?.get(project)?.published }
}

/** The text about a save, with the link to its file, or to the draft if somebody has to review it. */
function stateText({ guide, record, words }: Saving, result: SavedState, link: Html): Html | Word {
  const { edit } = words
  if (result.state === 'refused') return edit.notImported({ problem: inEnglish(words, result.message) })
  const draft = guide.site.at(`/${record.workspace}/${record.project}/-/draft/-/changes`)
  const texts = {
    folder: html`${edit.saved}. ${link}`,
    waiting: html`${edit.saved}`,
    live: html`${edit.live}. ${link}`,
    review: html`${edit.waits}. <a href="${draft}">${edit.openDraft}</a>`,
  }
  return texts[result.state]
}
