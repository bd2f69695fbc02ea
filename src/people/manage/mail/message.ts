import { createHmac } from 'node:crypto'
import { changedEntries, changeOf } from '#brand/content-diff.ts'
import { DRAFT_PATH } from '#brand/contract/operations.ts'
import { filename, type LastDay } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { comparableAddress, compareStrings, isRightToLeft } from '#platform/base/text.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { Mail } from '#platform/outgoing/smtp.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { coversDraft, manages } from '#serving/access/session/rights.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { type Words, wordsFor } from '#site/words/words.ts'
import { findMailChoice, type MailChoice, type MailRecord } from '#store/access/mail.ts'
import { findSignin } from '#store/access/signins.ts'
import { findProject, findWorkspace, isWaiting, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { listNotices } from '#store/catalogue/notices.ts'
import { type GivenReview, listReviews } from '#store/catalogue/reviews.ts'
import { readContent, readLastDays } from '#store/catalogue/snapshots.ts'
import type { Queries } from '#store/database/database.ts'

export type MessageParts = Pick<AccessContext, 'database' | 'publicUrl' | 'identity'>

/**
 * Writes a waiting mail from the present state. Undefined if there is nothing to say any more, or if the person no
 * longer has the right or wants no such mail.
 */
export async function writeMail(context: MessageParts, mail: MailRecord, now: Date): Promise<Mail | undefined> {
  const { database } = context
  const choice = await findMailChoice(database, mail)
  const record = choice?.kinds.includes(mail.kind) && (await findProject(database, mail.workspace, mail.project))
  if (!choice || !record || now.getTime() - choice.seenAt.getTime() > MAX_ABSENCE_MS) return undefined
  const isManager = manages(choice.rights, record)
  if (!isManager && !(mail.kind === 'draft' && isAsked(choice, record))) return undefined
  const words = wordsFor(choice.lang)
  const lines = await linesOf(context, mail, record, words)
  if (!lines) return undefined
  const { workspace, project } = record
  const path = `/${workspace}/${project}${isManager ? '/-/manage' : `${DRAFT_PATH}/-/changes`}`
  const open = { url: await signedIn(context, choice, path), name: words.mail.open[mail.kind] }
  const change = mailAddress(context, choice)
  const guide = (record.published ?? record.draft).name
  const subject = oneLine(`${words.mail.subjects[mail.kind]({ guide })}`).slice(0, MAX_SUBJECT)
  const from = oneLine((await findWorkspace(database, workspace))?.name ?? workspace)
  return { id: mail.id, from, to: choice.email, subject, unsubscribe: change, ...bodyOf(words, lines, open, change) }
}

/** A person without a sign-in for so long may have left: an issuer tells their rights only when they sign in. */
const MAX_ABSENCE_MS = 90 * 24 * 3600 * 1000
/** The characters of a subject. */
const MAX_SUBJECT = 200

/** Whether the draft asks for the approval of a person who does not manage it. */
function isAsked({ rights, email }: MailChoice, record: ProjectRecord): boolean {
  const isNamed = [record.reviewers ?? [], record.publishedReviewers ?? []].some(
    asked => typeof asked === 'number' || asked.some(address => comparableAddress(address) === email),
  )
  return isNamed && coversDraft(rights, record)
}

/** A paragraph, or the text of somebody else, which must not read as ours. */
type Line = Word | { quote: string }

/**
 * What has happened; undefined if the present state no longer says so. The `reason` of a mail depends on its kind: why an
 * import `failed`, or the number of the first notice about `rights`.
 */
async function linesOf(
  { database }: MessageParts,
  { kind, reason, createdAt }: MailRecord,
  record: ProjectRecord,
  words: Words,
): Promise<readonly Line[] | undefined> {
  const guide = record.draft.name
  if (kind === 'failed') return [words.mail.failed({ guide }), reason ?? '']
  if (kind === 'draft') {
    if (!isWaiting(record)) return undefined
    const changes = await changedNames(database, record, words)
    return [words.mail.draft({ guide }), { quote: record.draftNote ?? '' }, changes.join('\n')]
  }
  if (kind === 'rights') {
    const files = await endingFiles(database, record, Number(reason), words)
    return files.length === 0 ? undefined : [words.mail.rights({ guide }), files.join('\n')]
  }
  const records = await listReviews(database, record)
  const newAnswers = records.filter(({ answeredAt, endedAt }) => answeredAt >= createdAt && !endedAt)
  if (newAnswers.length === 0) return undefined
  return [words.mail.answer({ guide }), ...newAnswers.flatMap(each => answerOf(words, each))]
}

/** A line for new, changed and removed pages, styles and files each, with some of their names. */
async function changedNames(
  queries: Queries,
  { workspace, draft, published }: ProjectRecord,
  { changes, list, manage }: Words,
): Promise<string[]> {
  if (!published) return []
  const itemsOf = async ({ snapshot }: { snapshot: Hash }) => {
    const { pages, colors, types, files } = await readContent(queries, workspace, snapshot)
    const named = files.map(file => ({ ...file, id: file.path, name: file.title ?? filename(file.path) }))
    // Items of two kinds may have the same id.
    return new Map([pages, colors, types, named].flatMap((all, kind) => all.map(one => [`${kind} ${one.id}`, one])))
  }
  const changed = Map.groupBy(changedEntries(await itemsOf(published), await itemsOf(draft)), changeOf)
  return (['added', 'changed', 'removed'] as const).flatMap(change => {
    const names = (changed.get(change) ?? []).map(({ before, after }) => (after ?? before)?.name)
    const more = names.length > MAX_NAMES ? ` ${manage.more({ count: names.length - MAX_NAMES })}` : ''
    return names.length === 0 ? [] : `${changes[change]}: ${list(names.slice(0, MAX_NAMES))}${more}`
  })
}

const MAX_NAMES = 10

/**
 * A line for each published file that has had a notice, from a number on, that its rights end; by last day, up to a
 * limit. A notice no longer counts if the file has another last day now.
 */
async function endingFiles(queries: Queries, record: ProjectRecord, first: number, words: Words): Promise<string[]> {
  const { workspace, published } = record
  if (!published) return []
  const keyOf = ({ path, until }: LastDay) => `${until} ${path}`
  const notices = (await listNotices(queries, record)).filter(({ days, number }) => days > 0 && number >= first)
  const noticed = new Set(notices.map(keyOf))
  const files = (await readLastDays(queries, workspace, published.snapshot)).filter(file => noticed.has(keyOf(file)))
  const lines = files
    .sort((a, b) => compareStrings(a.until, b.until))
    .slice(0, MAX_NAMES)
    .map(({ path, until }) => `${oneLine(path)}: ${words.files.uses.until({ day: words.day(new Date(until)) })}`)
  const count = files.length - lines.length
  return count > 0 ? [...lines, `${words.manage.more({ count })}`] : lines
}

/** An answer to a draft in a sentence, and its comment. */
function answerOf({ review, day }: Words, { answer, who, comment, answeredAt, link }: GivenReview): Line[] {
  const of = { who: oneLine(who), day: day(answeredAt) }
  const origin = link && (link.by === undefined ? review.byUnknown : review.byLink({ who: link.by }))
  return [
    `${answer === 'approve' ? review.approvedBy(of) : review.askedBy(of)} ${origin ?? ''}`.trim(),
    { quote: comment ?? '' },
  ]
}

/** A mail as text and as simple HTML with the same content. */
function bodyOf(
  { mail, lang }: Words,
  lines: readonly Line[],
  open: { url: string; name: Word },
  change: string,
): Pick<Mail, 'text' | 'html'> {
  const paragraphs = lines
    .map(line => (typeof line === 'object' && 'quote' in line ? paragraph(line.quote, true) : paragraph(`${line}`)))
    .filter(({ plain }) => plain !== '')
  const plainParagraphs = paragraphs.map(({ plain }) => plain)
  // A line of `-- ` begins the signature (RFC 3676 §4.3).
  const text = [...plainParagraphs, `${open.name}: ${open.url}`, `-- \n${mail.why} ${mail.change}: ${change}`].join(
    '\n\n',
  )
  const document = html`<!doctype html>
<html lang="${lang}" dir="${isRightToLeft(lang) ? 'rtl' : 'ltr'}"><body style="font-family:sans-serif;max-width:40em">
${paragraphs.map(({ rich }) => rich)}<p><a href="${open.url}">${open.name}</a></p>
<p><small>${mail.why} <a href="${change}">${mail.change}</a></small></p>
</body></html>
`
  return { text: `${text}\n`, html: document.text }
}

/** A paragraph or a quotation as text, whose quoted lines begin with `> `, and as HTML. */
function paragraph(written: string, isQuote = false): { plain: string; rich: Html } {
  const text = written.replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replaceAll(UNSAFE, '')
  // The name of a guide may end with the full stop that also ends our sentence.
  const lines = isQuote ? text.trim() : text.trim().replace(/(?<!\.)\.\.$/, '.')
  const tag = isQuote ? html`blockquote` : html`p`
  const rich = html`<${tag} style="white-space:pre-line">${lines}</${tag}>\n`
  return { plain: isQuote ? lines.replaceAll(/^(?=[\s\S])/gm, '> ') : lines, rich }
}

/** Characters that could hide or reorder text, except line feeds. */
const UNSAFE = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A text on one line, without characters that could hide or reorder it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** The address of a page by way of the sign-in; directly for people whom a proxy signs in. */
async function signedIn(
  { database, publicUrl }: MessageParts,
  { workspace, signin }: MailChoice,
  path: string,
): Promise<string> {
  const signinWay = (await findSignin(database, signin))?.settings.way
  if (!signinWay || 'proxy' in signinWay) return publicUrl + path
  const query = new URLSearchParams({ workspace, with: signin, return: basePath(publicUrl) + path })
  return `${publicUrl}/-/signin?${query}`
}

/** The address at which a person changes or ends their mail, also with one click and without a session (RFC 8058). */
export function mailAddress(context: MessageParts, person: Pick<MailChoice, 'workspace' | 'subject'>): string {
  const { workspace, subject } = person
  return `${context.publicUrl}/${workspace}/-/manage/mail?of=${subject}&stop=${stopToken(context, person)}`
}

/** Proves that an address is from a mail to this person. */
export function stopToken(
  { identity }: Pick<MessageParts, 'identity'>,
  { workspace, subject }: Pick<MailChoice, 'workspace' | 'subject'>,
): string {
  const proof = createHmac('sha256', identity.clientSecret).update(`mail ${JSON.stringify([workspace, subject])}`)
  return proof.digest('base64url')
}
