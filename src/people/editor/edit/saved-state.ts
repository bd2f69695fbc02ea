import { type Html, html } from '#site/html.ts'
import { button, formHtml } from '../../manage/form.ts'
import { type CommitState, commitState } from '../commit-state.ts'
import type { Saving } from './save.ts'
import type { Target } from './target.ts'
import { type GuideVisit, shownPath, tokenOf } from './visit.ts'

/**
 * What became of the commit that the address of a page names: `?saved={hash}&at={milliseconds}`, without a hash if none
 * was needed, or in a folder; undefined without both.
 */
export async function savedState(
  { context: { manage }, files, record: { workspace, project }, request }: Saving,
  path: string,
): Promise<CommitState | { state: 'folder' } | undefined> {
  const query = new URLSearchParams(request.query)
  const commit = query.get('saved')
  if (commit === null || !/^(?:[0-9a-f]{40,64})?$/.test(commit)) return undefined
  const source = commit === '' ? undefined : await files.state?.()
  if (!source) return { state: 'folder' }
  const own = [source.path, files.paths.folder, path].filter(Boolean).join('/')
  return commitState({
    commit,
    mayHaveChanged: each => each === own || each.startsWith(`${own}/`),
    askedAt: new Date(Number(query.get('at'))),
    source,
    project,
    published: (await manage.site.service.pointers.workspace(workspace))?.projects.get(project)?.published,
  })
}

/** The state of a saved file, with links to what it becomes, and the button that undoes it. */
export async function savedHtml(visit: GuideVisit, target: Target): Promise<Html | undefined> {
  const result = await savedState(visit, target.path)
  if (!result) return undefined
  const { guide, record, request, words } = visit
  const { edit } = words
  const draft = guide.site.at(`/${record.workspace}/${record.project}/-/draft/-/changes`)
  const texts = {
    folder: html`${edit.saved}`,
    waiting: html`${edit.saved}`,
    live: html`${edit.live}. <a href="${shownPath(guide, target)}">${edit.open}</a>`,
    review: html`${edit.waits}. <a href="${draft}">${edit.openDraft}</a>`,
  }
  const text = 'message' in result ? html`${edit.notImported({ problem: result.message })}` : texts[result.state]
  const commit = new URLSearchParams(request.query).get('saved') ?? ''
  const undo = html`<input type="hidden" name="commit" value="${commit}">${button('undo', edit.undo)}`
  return html`${stateHtml(result.state, text)}${result.state !== 'folder' && formHtml(tokenOf(visit), undo)}`
}

/** The script asks again while a commit waits. */
export function stateHtml(state: string, text: Html): Html {
  const isFailed = state === 'refused' || state === 'blocked'
  return html`<p class="result ${isFailed ? 'failed' : 'done'}" role="status" data-state="${state}">${text}</p>\n`
}
