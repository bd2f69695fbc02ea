import { parse } from 'yaml'
import { isPageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { parsedJson } from '#platform/base/object.ts'
import { attempt, ok, type Result } from '#platform/base/result.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import type { Word } from '#site/html.ts'
import { unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { inEnglish } from '../fields.ts'
import { openText } from '../source/edited-text.ts'
import { type EditPage, editPage, listNames } from './edit-view.ts'
import { BODY, sentTexts } from './form-parts.ts'
import { textOfForm, withAlias } from './form-text.ts'
import { previewReply } from './preview.ts'
import { saveAlone, saveChanges, undoSave } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { mayDelete, type Target, targetOf } from './target.ts'
import { editAddress, type GuideVisit, guideRoute, pageAt, savedReply, shownPath } from './visit.ts'

/** The page on which people edit a file of a guide, and the replies to its form. */
export const editReply = guideRoute((visit, ids) => {
  const target = targetOf(visit.files.paths, ids.page, isPageId)
  return (
    target && {
      show: problem => openPage(visit, target, problem),
      answer: sent => answerForm(visit, target, sent),
    }
  )
})

/** The page with the file as it is now, and with the problem of a form that changed nothing. */
async function openPage(visit: GuideVisit, target: Target, problem?: Word): Promise<Reply | undefined> {
  const fail = (why: Word) => editPage(visit, { target, problem: problem ?? why })
  const read = await visit.files.read(target.path)
  if (!read.ok) return fail(read.problem.message)
  const text = read.value && utf8(read.value)
  if (read.value && text === undefined) return fail(visit.words.edit.encoding)
  if (text === undefined && target.kind === 'page') return movedReply(visit, target)
  const page = { target, opened: openText(target.kind, text ?? ''), base: text ?? '' }
  if (problem !== undefined) return editPage(visit, { ...page, problem, status: 409 })
  return editPage(visit, { ...page, saved: await savedHtml(visit, target) })
}

/** Leads from the earlier address of a page to its new one, with the result of the save that moved it. */
async function movedReply(visit: GuideVisit, { shown }: Target): Promise<Reply | undefined> {
  const page = await pageAt(visit, shown.slice(1))
  const { query } = visit.request
  const isMoved = page && page.id !== shown.slice(1)
  return isMoved ? unshared(redirect(303, `${editAddress(visit, page.id)}${query && `?${query}`}`)) : undefined
}

/** The text of bytes in UTF-8 with its byte order mark; undefined for other bytes, and for NUL, which HTML cannot show. */
function utf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  return attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

type Answer = Promise<Result<Reply | undefined, Word>>

async function answerForm(visit: GuideVisit, target: Target, sent: URLSearchParams): Answer {
  const base = parsedJson(sent.get('base') ?? '')
  const action = sent.get('do')
  if (action === 'cancel') return ok(unshared(redirect(303, shownPath(visit.guide, target))))
  if (action === 'undo') {
    const undone = await undoSave(visit, sent.get('commit') ?? '')
    return undone.ok ? ok(savedHere(visit, undone.value)) : undone
  }
  if (action === 'delete' && mayDelete(target) && typeof base === 'string' && sent.get('sure') === 'yes')
    return deleteFile(visit, target, base)
  if (typeof base !== 'string' || action === 'delete') return ok(foreignForm(visit.context.manage, visit.request))
  const shown = parsedJson(sent.get('opened') ?? '')
  const opened = openText(target.kind, typeof shown === 'string' ? shown : base)
  const texts = withAlias(target, opened, sentTexts(sent))
  if (action === 'preview') return ok(await previewReply(visit, target, texts.get(BODY)?.[0]?.trim() ?? ''))
  const [saveId, summary] = [sent.get('save') ?? '', sent.get('summary') ?? '']
  const form = { target, opened, sent: texts, base, saveId, summary }
  const written = textOfForm(visit.words, { kind: target.kind, opened, sent: texts }, base)
  return ok(
    await (written.ok ? saveText(visit, form, written.value) : editPage(visit, { ...form, ...written.problem })),
  )
}

async function deleteFile(visit: GuideVisit, { path }: Target, base: string): Answer {
  const changes = [{ path, before: Buffer.from(base), after: undefined }]
  const deleted = await saveAlone(visit, changes, { conflict: visit.words.edit.conflict })
  return deleted.ok ? ok(savedReply(visit, editAddress(visit, HOME_PAGE), deleted.value)) : deleted
}

/** Saves the text of a form, or shows it again: with the problem, or next to the changes of others of the same places. */
async function saveText(visit: GuideVisit, form: EditPage & { base: string }, text: string): Promise<Reply> {
  const { target, base } = form
  const size = Buffer.byteLength(text)
  if (size > Math.max(MAX_TEXT_BYTES, Buffer.byteLength(base)))
    return editPage(visit, { ...form, problem: inEnglish(visit.words, 'the text is larger than 1 MiB') })
  const before = base === '' ? undefined : Buffer.from(base)
  const after = before || text !== '' ? Buffer.from(text) : undefined
  const summary = form.summary?.trim() || summaryOf(visit, target, base, text)
  const saved = await saveChanges(visit, [{ path: target.path, before, after }], { ...form, summary })
  if (!saved.ok) return editPage(visit, { ...form, problem: saved.problem, status: 409 })
  if (saved.value.outcome === 'saved') return savedHere(visit, saved.value.commit)
  const theirs = saved.value.files[0]?.theirs
  const other = (theirs && utf8(theirs)) ?? ''
  const conflict = passagesOf(base, text, other)
  const opened = openText(target.kind, conflict.map(passage => mergedText(passage) ?? passage.mine).join(''))
  return editPage(visit, { ...form, sent: new Map(), opened, base: other, conflict })
}

/** Names the page, or the entries of a list, that a save changes: *Colours: Ink*; empty for changes of comments. */
function summaryOf({ words }: GuideVisit, { kind, path }: Target, base: string, text: string): string {
  const [, title = path] = /^(?:title: *|# +)["']?(.+?)["']?(?: +#.*)?\s*$/m.exec(text) ?? []
  if (kind === 'page') return `${words.fields.pages}: ${title}`
  const [before, after] = [base, text].map(each => {
    const list: unknown = attempt(() => parse(each))
    const entries = Array.isArray(list)
      ? list.map(entry => [entry?.name ?? entry?.id, entry])
      : Object.entries(list ?? {})
    return new Map(entries.map(([name, entry]) => [`${name}`, JSON.stringify(entry)]))
  })
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  const changed = [...names].filter(name => before?.get(name) !== after?.get(name))
  return changed.length === 0 ? '' : `${listNames(words)[kind]}: ${changed.join(', ')}`
}

/** Larger pages and lists are not imported. */
const MAX_TEXT_BYTES = 1 << 20

function savedHere(visit: GuideVisit, commit: string | undefined): Reply {
  return savedReply(visit, visit.context.manage.site.here(visit.request.path), commit)
}
