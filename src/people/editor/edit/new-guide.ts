import type { HiddenRoute } from '#brand/contract/route.ts'
import { isProjectId, slug } from '#brand/ids.ts'
import { starterFiles } from '#intake/starter/starter.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { editsAll } from '#serving/access/session/exercised-rights.ts'
import { type Html, html, joinWords, type Word } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import { listProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import type { Editor } from './context.ts'
import { saveAlone } from './save.ts'
import { savedState, stateHtml } from './saved-state.ts'
import { formReply, savedReply, tokenOf, type Visit } from './visit.ts'

/** A visit to a workspace to which the person may add a guide. */
type WorkspaceVisit = Visit & { workspace: string; projects: readonly ProjectRecord[] }

/** The form for a new guide, and the reply to it: the guide is one commit with the files of the starter. */
export const newGuideReply: HiddenRoute<Editor>['answer'] = async (context, request, { workspace }) => {
  const visit = await visitWorkspace(context, request, workspace)
  return (
    visit &&
    formReply(visit, {
      show: async (problem, sent) =>
        page(visit, await mainHtml(visit, problem, sent), problem === undefined ? 200 : 422),
      answer: sent => makeGuide(visit, sent),
    })
  )
}

/** Checked again for each request; undefined for everybody who may not add a guide. */
async function visitWorkspace(
  context: Editor,
  request: Request,
  workspace: string,
): Promise<WorkspaceVisit | undefined> {
  const { site, store } = context.manage
  const person = await site.service.sessions.person(request, workspace)
  if (!context.isForAll && !(person && editsAll(person))) return undefined
  const { records: projects } = await listProjects(store.database, workspace)
  if (projects.length === 0 || !(await context.filesIn(workspace, ''))) return undefined
  return { context, request, person, words: readerWords(request), workspace, projects }
}

/** Whether the brand folder itself is a guide, so that it has no place for another one. */
async function isOneGuide({ context, projects }: WorkspaceVisit): Promise<boolean> {
  const { database } = context.manage.store
  const paths = await Promise.all(projects.map(record => findSourcePaths(database, record)))
  return paths.some(each => each?.folder === '')
}

async function makeGuide(visit: WorkspaceVisit, sent: URLSearchParams): Promise<Result<Reply, Word>> {
  const { context, request, projects, workspace, words } = visit
  const { newGuide } = words
  const name = (sent.get('name') ?? '').replaceAll(/\s+/g, ' ').trim()
  const id = (sent.get('id') ?? '').trim() || slug(name)
  if (name.length > MAX_NAME || !NAME.test(name)) return failed(newGuide.nameForm)
  if (!isProjectId(id)) return failed(newGuide.addressForm)
  const root = await context.filesIn(workspace, '')
  const files = await context.filesIn(workspace, id)
  const existing = await root?.read(id)
  const isTaken = existing?.ok ? existing.value !== undefined : existing?.problem.code === 'edit_refused'
  if (!files || isTaken || projects.some(({ project }) => project === id) || (await isOneGuide(visit)))
    return failed(newGuide.taken)
  const { 'workspace.yaml': _, ...starter } = starterFiles(name, id)
  const visibility = sent.get('visibility') === 'public' ? 'public' : 'private'
  const changes = Object.entries(starter).map(([path, text]) => {
    const own = path === 'project.yaml' ? text.replace(/^visibility: .*$/m, `visibility: ${visibility}`) : text
    return { path, before: undefined, after: Buffer.from(own) }
  })
  const made = { ...visit, files, record: { workspace, project: id } }
  const summary = `${words.edit.added({ page: name })}`
  const saved = await saveAlone(made, changes, { summary, conflict: newGuide.taken })
  if (saved.ok) return ok(savedReply(visit, context.manage.site.here(request.path), saved.value, { made: id }))
  return failed(saved.problem === newGuide.taken ? saved.problem : joinWords([newGuide.failed, saved.problem], ' '))
}

/** What became of the guide that the address names: `?made={id}`; else the form for a new one. */
async function mainHtml(visit: WorkspaceVisit, problem: Word | undefined, sent?: URLSearchParams): Promise<Html> {
  const { request, workspace, words } = visit
  const { newGuide, changes, files } = words
  const made = new URLSearchParams(request.query).get('made') ?? ''
  if (problem === undefined && isProjectId(made)) return resultHtml(visit, made)
  if (problem === undefined && (await isOneGuide(visit)))
    return html`<p>${newGuide.single({ command: html`<code dir="ltr">housestyle init</code>` })}</p>\n`
  const [name, id, visibility] = ['name', 'id', 'visibility'].map(field => sent?.get(field) ?? '')
  const alert = problem !== undefined && html`<p tabindex="-1" autofocus role="alert">${problem}</p>\n`
  const option = (value: string, label: Word) =>
    html`<option value="${value}"${value === visibility && html` selected`}>${label}</option>`
  const fields = html`<p><label>${changes.name} <input name="name" required maxlength="${MAX_NAME}" value="${name}" title="${newGuide.nameForm}" autocomplete="off"></label></p>
<p><label>${files.address} <span dir="ltr">/${workspace}/</span> <input name="id" dir="ltr" maxlength="63" value="${id}" title="${newGuide.addressForm}" autocomplete="off" spellcheck="false"></label></p>
<p><label>${newGuide.readers} <select name="visibility">${option('private', newGuide.people)}${option('public', newGuide.everyone)}</select></label></p>
<p><button class="primary">${newGuide.make}</button></p>`
  return html`<p>${newGuide.lead}</p>
${alert}<div class="consent">${formHtml(tokenOf(visit), fields)}</div>
`
}

async function resultHtml(visit: WorkspaceVisit, project: string): Promise<Html> {
  const { context, workspace, words } = visit
  const { newGuide, edit } = words
  const files = await context.filesIn(workspace, project)
  const result = files && (await savedState({ ...visit, files, record: { workspace, project } }, ''))
  const link = html`<a href="${context.manage.site.here(`/${workspace}/${project}`)}">${newGuide.open}</a>`
  const texts = {
    folder: html`${edit.saved}. ${link}`,
    live: html`${newGuide.live} ${link}`,
    review: html`${newGuide.review}`,
    waiting: html`${newGuide.waiting}`,
  }
  if (!result) return texts.waiting
  const text = 'message' in result ? html`${newGuide.refused} ${result.message}` : texts[result.state]
  return stateHtml(result.state, text)
}

async function page({ context, workspace, words, person }: WorkspaceVisit, main: Html, status: number): Promise<Reply> {
  const { site } = context.manage
  const introduction = await introductionOf(site, workspace)
  const guides = person?.manages ? `/${workspace}/-/manage` : `/${workspace}`
  const text = html`<p><a href="${site.here(guides)}">${words.manage.people.guides}</a></p>\n${main}`
  const policies = { referrer: 'same-origin' } as const
  const title = words.manage.people.newGuide
  return unshared(standalonePage(site.assets, status, { title, text, lang: words.lang, introduction, policies }))
}

const MAX_NAME = 60
/** Letters and marks that have no meaning in Markdown, YAML and SVG, where the starter has the name. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &'’.,!+–-]*$/u
