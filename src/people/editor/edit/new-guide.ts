import type { Ids } from '#brand/contract/route.ts'
import { isProjectId, slug } from '#brand/ids.ts'
import { starterFiles } from '#intake/starter/starter.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { editsAll } from '#serving/access/session/exercised-rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import { listProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import { formToken } from '../../manage/context.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { type CommitState, commitState } from '../commit-state.ts'
import type { EditedFiles, Editor } from './context.ts'
import { NOBODY } from './edited-project.ts'
import { recorded, subjectOf } from './save-file.ts'

const MAX_FORM_BYTES = 16 << 10

/** A workspace to which somebody may add a guide now: a person who may edit all of it, or in `dev` everybody. */
type EditedWorkspace = {
  workspace: string
  person: Person | undefined
  projects: readonly ProjectRecord[]
  words: Words
}

/** The form for a new guide, and the reply to it: the guide is one commit with the files of the starter. */
export async function newGuideReply(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const edited = await editedWorkspace(context, request, ids)
  if (!edited) return undefined
  const made = new URLSearchParams(request.query).get('made') ?? ''
  if (await isOneGuide(context, edited)) return page(context, edited, obstacle(edited.words))
  if (request.method === 'POST') return answerForm(context, request, edited)
  if (isProjectId(made)) return page(context, edited, await resultHtml(context, request, edited, made))
  return page(context, edited, form(context, edited))
}

/** Checked again for each request; undefined for everybody who may not add a guide. */
async function editedWorkspace(
  context: Editor,
  request: Request,
  { workspace }: Ids,
): Promise<EditedWorkspace | undefined> {
  const { site, store } = context.manage
  const person = await site.service.sessions.person(request, workspace)
  if (!context.isForAll && !(person && editsAll(person))) return undefined
  const { records: projects } = await listProjects(store.database, workspace)
  if (projects.length === 0 || !(await context.filesIn(workspace, ''))) return undefined
  return { workspace, person, projects, words: readerWords(request) }
}

/** Whether the brand folder itself is a guide, so that it has no place for another one. */
async function isOneGuide({ manage }: Editor, { projects }: EditedWorkspace): Promise<boolean> {
  const paths = await Promise.all(projects.map(record => findSourcePaths(manage.store.database, record)))
  return paths.some(each => each?.folder === '')
}

function obstacle({ newGuide }: Words): Html {
  return html`<p>${newGuide.single({ command: html`<code dir="ltr">housestyle init</code>` })}</p>\n`
}

type Attempt = { name: string; id: string; visibility: string; problem: Html | Word | string }

async function answerForm(context: Editor, request: Request, edited: EditedWorkspace): Promise<Reply> {
  const { manage } = context
  const { words, workspace, projects, person } = edited
  const sent = readOwnForm(manage.site.url, request, { maxBytes: MAX_FORM_BYTES })
  const token = formToken(manage, person ?? NOBODY)
  if (!sent || !equalsInConstantTime(sent.get('token') ?? '', token)) return foreignForm(manage, request)
  const name = (sent.get('name') ?? '').replaceAll(/\s+/g, ' ').trim()
  const visibility = sent.get('visibility') === 'public' ? 'public' : 'private'
  const id = (sent.get('id') ?? '').trim() || slug(name)
  const refuse = (problem: Attempt['problem']) =>
    page(context, edited, form(context, edited, { name, id, visibility, problem }), 422)
  if (name.length > MAX_NAME || !NAME.test(name)) return refuse(words.newGuide.nameForm)
  if (!isProjectId(id)) return refuse(words.newGuide.addressForm)
  const folder = await context.filesIn(workspace, '')
  const existing = await folder?.read(id)
  const isTaken = existing?.ok ? existing.value !== undefined : existing?.problem.code === 'edit_refused'
  if (isTaken || projects.some(({ project }) => project === id)) return refuse(words.newGuide.taken)
  const files = await context.filesIn(workspace, id)
  if (!files) return refuse(words.newGuide.taken)
  const saved = await save(context, request, edited, { files, name, id, visibility })
  if (!saved.ok) return refuse(html`${words.newGuide.failed} ${saved.problem}`)
  if (saved.value.outcome === 'conflict') return refuse(words.newGuide.taken)
  const query = new URLSearchParams({ made: id, saved: saved.value.commit ?? '', at: `${manage.store.clock.now()}` })
  return unshared(redirect(303, `${manage.site.here(request.path)}?${query}`))
}

type NewGuide = { files: EditedFiles; name: string; id: string; visibility: string }

async function save(
  context: Editor,
  request: Request,
  { person, workspace, words }: EditedWorkspace,
  { files, name, id, visibility }: NewGuide,
) {
  const texts = guideFiles(name, id, visibility)
  const changes = [...texts].map(([path, text]) => ({ path, before: undefined, after: new TextEncoder().encode(text) }))
  const saved = await files.save({
    changes,
    author: person ? context.authorOf(person) : { name: 'housestyle', email: '' },
    subject: subjectOf('', `${words.edit.added({ page: name })}`),
    saveId: context.newId(),
  })
  const record = { workspace, project: id }
  return recorded(context, { files, person, record }, request, [...texts.keys()], saved)
}

function guideFiles(name: string, id: string, visibility: string): Map<string, string> {
  const { 'workspace.yaml': _, ...files } = starterFiles(name, id)
  return new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      path === 'project.yaml' ? text.replace(/^visibility: .*$/m, `visibility: ${visibility}`) : text,
    ]),
  )
}

/** The state of the commit that the address names: `?made={id}&saved={hash}&at={milliseconds}`. */
async function resultHtml(
  { filesIn, manage }: Editor,
  request: Request,
  { workspace, words }: EditedWorkspace,
  id: string,
): Promise<Html> {
  const { newGuide, edit } = words
  const query = new URLSearchParams(request.query)
  const served = (await manage.site.service.pointers.workspace(workspace))?.projects.get(id)
  const link = html`<a href="${manage.site.here(`/${workspace}/${id}`)}">${newGuide.open}</a>`
  const say = (state: string, text: Html) => html`<p role="status" data-state="${state}">${text}</p>\n`
  const source = await (await filesIn(workspace, id))?.state?.()
  if (!source) return say('folder', html`${edit.saved}. ${link}`)
  const state: CommitState = commitState({
    commit: query.get('saved') ?? '',
    paths: [],
    askedAt: new Date(Number(query.get('at'))),
    before: { commit: source.commit, findings: [] },
    source,
    projects: new Map([[id, { ...served }]]),
  })
  if (state.state === 'live') return say('live', html`${newGuide.live} ${link}`)
  if (state.state === 'review') return say('review', html`${newGuide.review}`)
  if ('message' in state) return say(state.state, html`${newGuide.refused} ${state.message}`)
  return say('waiting', html`${newGuide.waiting}`)
}

async function page(
  { manage }: Editor,
  { workspace, words, person }: EditedWorkspace,
  content: Html,
  status = 200,
): Promise<Reply> {
  const { site } = manage
  const introduction = await introductionOf(site, workspace)
  const guides = person?.manages ? `/${workspace}/-/manage` : `/${workspace}`
  const text = html`<p><a href="${site.here(guides)}">${words.manage.people.guides}</a></p>\n${content}`
  const title = words.manage.people.newGuide
  const policies = { referrer: 'same-origin' } as const
  return unshared(standalonePage(site.assets, status, { title, text, lang: words.lang, introduction, policies }))
}

function form({ manage }: Editor, { words, workspace, person }: EditedWorkspace, attempt?: Attempt): Html {
  const { newGuide, changes, files } = words
  const { name = '', id = '', visibility = 'private', problem } = attempt ?? {}
  const alert = problem !== undefined && html`<p tabindex="-1" autofocus role="alert">${problem}</p>\n`
  const option = (value: string, label: Word) =>
    html`<option value="${value}"${value === visibility && html` selected`}>${label}</option>`
  const fields = html`<p><label>${changes.name} <input name="name" required maxlength="${MAX_NAME}" value="${name}" title="${newGuide.nameForm}" autocomplete="off"></label></p>
<p><label>${files.address} <span dir="ltr">/${workspace}/</span> <input name="id" dir="ltr" maxlength="63" value="${id}" title="${newGuide.addressForm}" autocomplete="off" spellcheck="false"></label></p>
<p><label>${newGuide.readers} <select name="visibility">${option('private', newGuide.people)}${option('public', newGuide.everyone)}</select></label></p>
<p><button class="primary">${newGuide.make}</button></p>`
  return html`<p>${newGuide.lead}</p>
${alert}<div class="consent">${formHtml(formToken(manage, person ?? NOBODY), fields)}</div>
`
}

const MAX_NAME = 60
/** Letters and marks that have no meaning in Markdown, YAML and SVG, where the starter has the name. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &'’.,!+–-]*$/u
