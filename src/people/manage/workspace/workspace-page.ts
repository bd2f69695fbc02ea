import type { Ids } from '#brand/contract/route.ts'
import { usagePeriod } from '#brand/usage.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { connections } from '#serving/access/families.ts'
import { editsAll, manages, managesAll } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { endSessions } from '#serving/access/session/signins.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import { type ConnectionRecord, findLiveConnection, listLiveConnections } from '#store/access/connections.ts'
import { findLiveSession, type SessionRecord } from '#store/access/sessions.ts'
import { isWaiting, listProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { sumUsage, type UsageSum } from '#store/catalogue/usage.ts'
import { findWorkspaceFields, type WorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import { auditedBy, formToken, type ManageContext, whoOf } from '../context.ts'
import { workspaceNote } from '../draft-parts.ts'
import { button, endForm, formHtml, unshared } from '../form.ts'
import { formPage, type LastForm, resultHtml } from '../form-page.ts'
import { lastUse, timeHtml, workspacePage } from '../manage-page.ts'
import { type Manager, publishTicked, tickBox, tickedResults } from './publish-ticked.ts'

/**
 * The page of a workspace for people who manage some of its projects. Those who manage all of them also see and end the
 * sessions of people and the connections of agents.
 */
export async function workspaceReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const manager = await managerIn(context, request, ids.workspace)
  if (!manager) return undefined
  const { person } = manager
  return formPage<Reason>(context, request, person, {
    show: last => page(context, request, manager, last),
    act: async (sent, formContext) => {
      const { action, field } = sent
      if (action === 'publish')
        return (await publishTicked(formContext, manager, sent)) ?? { status: 422, reason: 'form' }
      const end = ENDS.get(action)
      const id = field('id')
      if (!end || !managesAll(person)) return { status: 400, reason: 'unknown' }
      const isOwn = person.id !== '' && action === 'end-session' && id === person.id
      if (isOwn) return unshared(await context.signOut(request, person.workspace))
      if (!(await end(formContext, person, id))) return { status: 422, reason: 'gone' }
      await context.refresh()
      return { action }
    },
  })
}

/** The person of a request with the projects that they manage; undefined if they manage nothing that exists. */
async function managerIn(
  { site, store }: ManageContext,
  request: Request,
  workspace: string,
): Promise<Manager | undefined> {
  const person = await site.service.sessions.person(request, workspace)
  if (!person?.manages) return undefined
  const records = await listProjects(store.database, workspace)
  const projects = records.filter(project => manages(person, project))
  return managesAll(person) || projects.length > 0 ? { person, projects } : undefined
}

/** Why a form changed nothing: `gone` if the workspace has no such session or connection, `form` without a ticked draft. */
type Reason = 'gone' | 'unknown' | 'form'

/** The actions of people who manage all projects. */
const ENDS: ReadonlyMap<string, typeof endSession> = new Map([
  ['end-session', endSession],
  ['end-connection', endConnection],
])

async function endSession({ access, store }: ManageContext, person: Person, id: string): Promise<boolean> {
  const now = store.clock.date()
  const session = await findLiveSession(store.database, id, now)
  if (session?.workspace !== person.workspace) return false
  // Ending one's own session elsewhere is only signing out there.
  await endSessions(auditedBy(access, person), { id }, now, { keepsRights: session.subject === person.subject })
  return true
}

async function endConnection({ access, store }: ManageContext, person: Person, id: string): Promise<boolean> {
  const now = store.clock.date()
  const connection = await findLiveConnection(store.database, id, now)
  if (connection?.workspace !== person.workspace) return false
  await connections.end(auditedBy(access, person), id, now)
  return true
}

/** The page: the projects, those with a waiting draft first, then the sessions and connections. */
async function page(
  context: ManageContext,
  request: Request,
  manager: Manager,
  last: LastForm<Reason>,
): Promise<Reply> {
  const words = readerWords(request)
  const { people, title } = words.manage
  const { at } = context.site
  const fields = await findWorkspaceFields(context.store.database, manager.person.workspace)
  const result = await resultOf(context, words, manager, last)
  const { days } = usagePeriod(context.store.clock.date(), USAGE_DAYS)
  const place = { workspace: manager.person.workspace }
  const usage = await sumUsage(context.store.database, place, 'project', [days[0] ?? '', days.at(-1) ?? ''])
  const start = words.manage.start({ command: html`<code dir="ltr">housestyle import</code>` })
  const projects = manager.projects.toSorted((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)))
  const list = listOf(projects, start, project => projectEntry(at, words, project, { usage, fields }))
  const main = html`${result}<div class="desk">
<section class="wide"><h2>${people.guides}</h2>
${projects.some(isWaiting) ? formHtml(formToken(context, manager.person), html`${managesAll(manager.person) && workspaceNote(words, fields)}${list}<p>${button('publish', words.manage.publishTicked, { isPrimary: true })}</p>`) : list}${await newGuideLink(context, words, manager.person)}</section>
${managesAll(manager.person) && (await peopleLists(context, words, manager.person))}</div>`
  return workspacePage(context, words, manager.person, { title, below: '/-/manage', main })
}

/** What the last form did, or why it changed nothing. */
async function resultOf(
  context: ManageContext,
  words: Words,
  manager: Manager,
  { done, refused }: LastForm<Reason>,
): Promise<Html | undefined> {
  const { people, refusals } = words.manage
  if (refused) return resultHtml({ ...people, form: refusals.form }[refused.reason], undefined)
  if (done?.action === 'end-session') return resultHtml(undefined, words.sessions.ended)
  if (done?.action === 'end-connection') return resultHtml(undefined, people.disconnected)
  if (done?.secret === undefined) return undefined
  const { text, isWarning } = await tickedResults(context, words, manager, done.secret)
  return isWarning ? resultHtml(text, undefined, 409) : resultHtml(undefined, text)
}

const USAGE_DAYS = 30

/** A project: its link, what waits, its revision, its usage, and the box that ticks its draft. */
function projectEntry(
  at: ManageContext['site']['at'],
  words: Words,
  record: ProjectRecord,
  { usage, fields }: { usage: readonly UsageSum[]; fields: WorkspaceFields },
): Html {
  const { manage, frame } = words
  const { workspace, project, draft, published } = record
  const revision = published
    ? frame.revision({ revision: published.revision, day: timeHtml(words, published.publishedAt) })
    : manage.people.unpublished
  const counts = (['page', 'file'] as const).map(kind => {
    const sum = usage.find(each => each.kind === kind && each.key === project)
    return `${words.usage.kinds[kind]} ${words.number(sum?.count ?? 0)}`
  })
  const home = at(`/${workspace}/${project}/-/manage`)
  return html`<li><div><p><a href="${home}"><bdi>${(published ?? draft).name}</bdi></a>${isWaiting(record) && html` <mark>${published ? manage.people.changed : manage.waits}</mark>`}</p> <span>${revision}${published?.visibility !== draft.visibility && html` · ${manage.becomes[draft.visibility]}`}</span>
<span><a href="${home}/usage">${manage.usage}</a> (${manage.share.days({ count: USAGE_DAYS })}): ${counts.join(' · ')}</span></div>${isWaiting(record) && tickBox(words, record, fields)}</li>
`
}

/** The link to the page that adds a guide, for people who may edit the whole workspace where the service edits it. */
async function newGuideLink({ site }: ManageContext, { manage }: Words, person: Person): Promise<Html | undefined> {
  if (!editsAll(person) || (await site.edits?.(person.workspace)) !== true) return undefined
  const address = site.at(`/${person.workspace}/-/edit/new`)
  return html`<p><a class="button" href="${address}">${manage.people.newGuide}</a></p>\n`
}

/** The lists of people with their sessions, and of the connections of agents. */
async function peopleLists(context: ManageContext, words: Words, person: Person): Promise<Html> {
  const { site, store } = context
  const { people } = words.manage
  const now = store.clock.date()
  const sessions = await site.service.sessions.live({ workspace: person.workspace })
  const connections = await listLiveConnections(store.database, now, { workspace: person.workspace })
  const token = formToken(context, person)
  const byPerson = [...Map.groupBy(sessions, ({ subject }) => subject).values()]
  return html`<section class="wide" id="People"><h2>${people.sessions}</h2>
<p class="quiet">${people.endsLinks}</p>
${listOf(byPerson, people.nobody, sessionsOfOne => personEntry(words, sessionsOfOne, person, token))}</section>
<section class="wide"><h2>${people.connections}</h2>
${listOf(connections, people.noAgent, connection => connectionEntry(words, connection, token))}</section>
`
}

/** A list, or a sentence if it has no items. */
function listOf<Item>(items: readonly Item[], none: Html | Word, entry: (item: Item) => Html | undefined): Html {
  return items.length === 0 ? html`<p>${none}</p>\n` : html`<ul class="entries">\n${items.map(entry)}</ul>\n`
}

/** Somebody with their sessions, newest first. `person` is the one who sees the page. */
function personEntry(
  words: Words,
  sessionsOfOne: readonly SessionRecord[],
  person: Person,
  token: string,
): Html | undefined {
  const { people } = words.manage
  const [newest] = sessionsOfOne
  if (!newest) return undefined
  const name = whoOf(newest) ?? newest.id
  const facts = words.list([
    newest.subject === person.subject ? people.you : undefined,
    name.includes(newest.email ?? newest.unverifiedEmail ?? '') ? undefined : addressOf(words, newest),
    sessionsOfOne.length > 1 ? people.count({ count: sessionsOfOne.length }) : undefined,
  ])
  const rows = sessionsOfOne.map(session =>
    sessionRow(words, name, session, { token, isOwn: session.id === person.id }),
  )
  return html`<li><div><p><strong><bdi>${name}</bdi></strong> <span>${facts}</span></p>
<ul class="sessions">\n${rows}</ul></div></li>\n`
}

/** A session in the list of its person. */
function sessionRow(
  words: Words,
  name: string,
  { id, createdAt, usedAt, browser }: SessionRecord,
  { token, isOwn }: { token: string; isOwn: boolean },
): Html {
  const { manage, sessions } = words
  const since = manage.people.since({ day: timeHtml(words, createdAt) })
  const used = usedAt && html` · ${manage.people.lastUsed({ day: timeHtml(words, usedAt) })}`
  const which = browser === undefined ? name : `${words.list([name, browser])}`
  const end = button('end-session', manage.people.end, { name: manage.people.endOf({ name: which }) })
  return html`<li><span>${browser !== undefined && html`${browser} · `}${isOwn && html`${sessions.this} · `}${since}${used}</span>${endForm(token, id, end)}</li>\n`
}

/** The address of a person, with a note if the issuer has not verified it. */
function addressOf({ manage }: Words, of: Pick<SessionRecord, 'email' | 'unverifiedEmail'>): Word | undefined {
  return of.unverifiedEmail === undefined ? of.email : manage.people.unverified({ email: of.unverifiedEmail })
}

/** A connection: its program, whose it is, its last use, and the form that ends it. */
function connectionEntry(words: Words, connection: ConnectionRecord, token: string): Html {
  const { people } = words.manage
  const { id, client, clientName, origin, createdAt, lastUsedAt } = connection
  const name = clientName ?? client
  const owner = 'share' in origin ? people.link : addressOf(words, connection)
  const used = lastUsedAt ? people.lastUsed({ day: timeHtml(words, lastUse(lastUsedAt, createdAt)) }) : people.unused
  const end = button('end-connection', people.end, { name: people.endOf({ name }) })
  return html`<li><div><strong><bdi>${name}</bdi></strong> <span>${owner !== undefined && html`${owner} · `}${used}</span></div>
${endForm(token, id, end)}</li>
`
}
