import type { Ids } from '#brand/contract/route.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { changeAccess } from '#serving/access/context.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { type Html, html } from '#site/html.ts'
import { sessionsAddress } from '#site/sessions-address.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import { endSessionsOfPerson, type SessionRecord } from '#store/access/sessions.ts'
import { formToken, type ManageContext } from '../context.ts'
import { button, endForm, formHtml, unshared } from '../form.ts'
import { formPage, type LastForm, resultHtml } from '../form-page.ts'
import { workspacePage } from '../manage-page.ts'

/**
 * The page of a person's own sessions for a workspace, and the replies to its forms. Undefined for everyone without a
 * session, and so for people whom a proxy names.
 */
export async function sessionsReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const { service, at } = context.site
  const person = await service.sessions.person(request, ids.workspace)
  if (!person || sessionsAddress(at, person) === undefined) return undefined
  return formPage<Reason>(context, request, person, {
    show: last => page(context, request, person, last),
    act: async ({ action, field }, formContext) => {
      const id = field('id')
      // Ending the session of this browser is signing out.
      if (action === 'end' && id === person.id) return unshared(await context.signOut(request, person.workspace))
      if (action !== 'end' && action !== 'end-others') return { status: 400, reason: 'unknown' }
      const isEnded = await end(formContext, request, person, action === 'end' ? { id } : { except: person.id })
      return isEnded || action === 'end-others' ? { action } : { status: 404, reason: 'gone' }
    },
  })
}

/** `gone`: the person has no such session. */
type Reason = 'gone' | 'unknown'

/** Ends a session, or all except one, if there are any. Sessions of other people do not exist for a person. */
async function end(
  { access, store, refresh }: ManageContext,
  { address }: Request,
  person: Person,
  which: { id: string } | { except: string },
): Promise<boolean> {
  const { workspace, subject } = person
  const ended = await changeAccess(
    access,
    async queries => (await endSessionsOfPerson(queries, person, which, store.clock.date())) || false,
    sessions => ({ event: 'sessions-ended', workspace, sessions, subject, address }),
  )
  if (ended) await refresh()
  return Boolean(ended)
}

/** The page with the sessions of a person, of which that of this browser comes first. */
async function page(
  context: ManageContext,
  request: Request,
  person: Person,
  { done, refused }: LastForm<Reason>,
): Promise<Reply> {
  const words = readerWords(request)
  const { sessions, manage } = words
  const { workspace, subject } = person
  const live = await context.site.service.sessions.live({ workspace, subject })
  const ownFirst = live.toSorted((one, other) => Number(other.id === person.id) - Number(one.id === person.id))
  const token = formToken(context, person)
  const now = context.store.clock.date()
  const entry = (session: SessionRecord) =>
    sessionEntry(words, session, { token, now, isHere: session.id === person.id })
  const refusal = refused && { gone: sessions.gone, unknown: manage.people.unknown }[refused.reason]
  const text = done?.action === 'end' ? sessions.ended : done?.action === 'end-others' && sessions.othersEnded
  const main = html`${resultHtml(refusal, text)}<div class="desk"><section><ul class="entries">
${ownFirst.map(entry)}</ul>
${ownFirst.length > 1 && formHtml(token, button('end-others', sessions.endOthers))}</section>
<section class="now"><p>${sessions.lead}</p></section></div>`
  return workspacePage(context, words, person, { title: sessions.title, below: '/-/sessions', main })
}

type Shown = { token: string; now: Date; isHere: boolean }

/** A session: its browser, its age and last use, and the form that ends it. `isHere`: it is that of this browser. */
function sessionEntry(
  words: Words,
  { id, createdAt, usedAt, browser }: SessionRecord,
  { token, now, isHere }: Shown,
): Html {
  const { sessions, manage, frame, ago, list } = words
  const since = sessions.since({ ago: ago(now.getTime() - createdAt.getTime()) })
  const used = !isHere && usedAt ? sessions.lastUsed({ ago: ago(now.getTime() - usedAt.getTime()) }) : undefined
  const name = manage.people.endOf({ name: `${list([browser ?? sessions.other, since])}` })
  const end = isHere ? button('end', frame.signOut) : button('end', manage.people.end, { name })
  return html`<li><div><strong>${browser ?? (isHere ? sessions.this : sessions.other)}</strong> <span>${list([isHere && browser !== undefined ? sessions.this : undefined, since, used])}</span></div>
${endForm(token, id, end)}</li>
`
}
