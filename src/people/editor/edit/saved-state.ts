import type { Request } from '#platform/exchange/message.ts'
import { type Html, html } from '#site/html.ts'
import { formToken } from '../../manage/context.ts'
import { button, formHtml } from '../../manage/form.ts'
import { type CommitState, commitState } from '../commit-state.ts'
import type { Editor } from './context.ts'
import { type EditedProject, shownPath } from './edited-project.ts'
import type { Target } from './target.ts'

/** What became of the commit that the address of a page names: `?saved={hash}&at={milliseconds}`, without a hash if
 * none was needed; undefined without both. */
export async function savedState(
  { manage }: Editor,
  edited: EditedProject,
  request: Request,
  target: Target,
): Promise<Html | undefined> {
  const { files, record, guide } = edited
  const { edit } = guide.words
  const query = new URLSearchParams(request.query)
  const commit = query.get('saved')
  if (commit === null || !/^(?:[0-9a-f]{40,64})?$/.test(commit)) return undefined
  const source = commit === '' ? undefined : await files.state?.()
  // What this process serves, which may be a moment older than the store.
  const served = (await manage.site.service.pointers.workspace(record.workspace))?.projects.get(record.project)
  const state: CommitState | 'folder' = source
    ? commitState({
        commit,
        paths: [[source.path, files.paths.folder, target.path].filter(Boolean).join('/')],
        askedAt: new Date(Number(query.get('at'))),
        before: { commit: source.commit, findings: [] },
        source,
        projects: new Map(served ? [[record.project, served]] : []),
      })
    : 'folder'
  if (state === 'folder') return status(html`${edit.saved}`, 'folder')
  const undo = formHtml(
    formToken(manage, edited.sender),
    html`<input type="hidden" name="commit" value="${commit}">${button('undo', edit.undo)}`,
  )
  const link = html`<a href="${shownPath(edited, target)}">${edit.open}</a>`
  const review = html`<a href="${guide.site.at(`/${record.workspace}/${record.project}/-/draft/-/changes`)}">${edit.openDraft}</a>`
  if (state.state === 'live') return status(html`${edit.live}. ${link}`, 'live', undo)
  if (state.state === 'review') return status(html`${edit.waits}. ${review}`, 'review', undo)
  if ('message' in state) return status(html`${edit.notImported({ problem: state.message })}`, state.state, undo)
  return status(html`${edit.saved}`, 'waiting', undo)
}

/** The script asks again while a commit waits. */
function status(text: Html, state: string, undo?: Html): Html {
  return html`<p class="result ${state === 'refused' || state === 'blocked' ? 'failed' : 'done'}" role="status" data-state="${state}">${text}</p>
${undo}`
}
