import type { Ids } from '#brand/contract/route.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { html } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import {
  endMailOf,
  findMailChoice,
  MAIL_KINDS,
  type MailChoice,
  type MailKind,
  saveMailChoice,
} from '#store/access/mail.ts'
import { rightsIn } from '#store/access/sessions.ts'
import { formToken, type ManageContext } from '../context.ts'
import { button, formHtml, type Sent, unshared } from '../form.ts'
import { formPage, resultHtml } from '../form-page.ts'
import { mayChooseMail, workspacePage } from '../manage-page.ts'
import { stopToken } from './message.ts'

/**
 * The page on which people who manage guides or see drafts choose the mail that they get. The address in a mail also
 * ends it without a session. Undefined for everyone else, and for everyone if the service sends no mail.
 */
export async function mailReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const reader = readerOf(context, request, ids.workspace)
  if (reader && isOneClick(request)) return endPage(context, request, reader)
  const person = await context.site.service.sessions.person(request, ids.workspace)
  if (!person || !mayChooseMail(context, person)) return reader && endPage(context, request, reader)
  return formPage(context, request, person, {
    show: ({ done }) => page(context, request, person, done?.action === 'save'),
    // In the context of the form, in which the right to this change is asked again.
    act: async (sent, formContext) => {
      await save(formContext, request, person, sent)
      return { action: 'save' }
    },
  })
}

/** The person to whom a mail with this address was sent; undefined if its token (`stop`) is wrong. */
function readerOf({ access }: ManageContext, { query }: Request, workspace: string) {
  const parameters = new URLSearchParams(query)
  const reader = { workspace, subject: fieldText(parameters, 'of') }
  const stop = parameters.get('stop')
  return stop !== null && equalsInConstantTime(stop, stopToken(access, reader)) ? reader : undefined
}

/**
 * Whether a request ends mail: mail programs post `List-Unsubscribe=One-Click` for their users (RFC 8058 §3.2), as a form of
 * either encoding, and so does the button of the page.
 */
function isOneClick({ body }: Request): boolean {
  return new TextDecoder().decode(body?.subarray(0, 1000)).includes('List-Unsubscribe')
}

type Reader = Pick<MailChoice, 'workspace' | 'subject'>

/** The page that ends mail without a session. Mail programs follow no redirect (RFC 8058 §3.1). */
async function endPage({ site, store }: ManageContext, request: Request, reader: Reader): Promise<Reply> {
  const isEnded = isOneClick(request)
  if (isEnded) await store.database.transaction(queries => endMailOf(queries, reader))
  const { mail, signin, lang } = readerWords(request)
  const { workspace } = reader
  const back = new URLSearchParams({ workspace, return: site.here(`/${workspace}/-/manage/mail`) })
  const text = isEnded
    ? html`<p role="status">${mail.ended}</p>`
    : html`<p>${mail.endWhy} <a href="${site.at(`/-/signin?${back}`)}">${signin.signIn}</a></p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">${mail.end}</button></form>`
  const introduction = await introductionOf(site, workspace)
  return unshared(standalonePage(site.assets, 200, { title: mail.title, text, lang, introduction }))
}

/** Saves the kinds of mail that a person has ticked; none ends their mail. */
async function save({ store }: ManageContext, request: Request, person: Person, { field }: Sent): Promise<void> {
  const { workspace, subject, signin, email = '' } = person
  const kinds = kindsFor(person).filter(kind => field(kind) !== '')
  const now = store.clock.date()
  const { lang } = readerWords(request)
  const choice = { workspace, subject, signin, email, lang, kinds, rights: rightsIn(person) }
  await store.database.transaction(queries =>
    kinds.length === 0 || email === ''
      ? endMailOf(queries, person)
      : saveMailChoice(queries, { ...choice, seenAt: now, chosenAt: now }),
  )
}

/** The kinds of mail that a person may choose: reviewers only get mail about drafts that ask for their approval. */
function kindsFor({ manages }: Pick<Person, 'manages'>): readonly MailKind[] {
  return manages ? MAIL_KINDS : ['draft']
}

/** The page with a box for each kind of mail; without a verified address, it says so instead. */
async function page(context: ManageContext, request: Request, person: Person, isSaved: boolean): Promise<Reply> {
  const words = readerWords(request)
  const { mail } = words
  const { email, unverifiedEmail } = person
  const chosen = (await findMailChoice(context.store.database, person))?.kinds ?? []
  const box = (kind: MailKind) =>
    html`<label><input type="checkbox" name="${kind}"${chosen.includes(kind) && html` checked`}> ${mail.kinds[kind]}</label>\n`
  const form = html`<fieldset><legend>${mail.choose}</legend>
${kindsFor(person).map(box)}</fieldset>
${button('save', mail.save, { isPrimary: true })}`
  const main =
    email === undefined
      ? html`<p>${mail.noAddress} ${unverifiedEmail !== undefined && words.manage.people.unverified({ email: html`<bdi>${unverifiedEmail}</bdi>` })}</p>`
      : html`${resultHtml(undefined, isSaved && mail.saved)}<div class="desk"><section><p class="lead">${mail.lead({ email: html`<bdi>${email}</bdi>` })}</p></section>
<section class="act">${formHtml(formToken(context, person), form)}</section></div>`
  return workspacePage(context, words, person, { title: mail.title, below: '/-/manage/mail', main })
}
