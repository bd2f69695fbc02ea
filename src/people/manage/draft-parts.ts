import { field, parsedJson } from '#platform/base/object.ts'
import type { DraftReviews, Review, Reviews } from '#publishing/review.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { type WorkspaceFields, workspaceChanges } from '#store/catalogue/workspace-fields.ts'
import { timeHtml } from './manage-page.ts'

// Parts of the pages about a draft, for those who publish it and for those who review it.

/** A sentence if publishing a draft makes its guide public or private. */
export function visibilityNote(
  { manage }: Words,
  { draft, published }: Pick<ProjectRecord, 'draft' | 'published'>,
): Html | undefined {
  if (published?.visibility === draft.visibility) return undefined
  return html`<p class="result">${manage.becomes[draft.visibility]}</p>\n`
}

/** The changed fields of the workspace of a draft, as they are served and as they would be. Undefined without any. */
export function workspaceNote({ review, changes }: Words, fields: WorkspaceFields): Html | undefined {
  const rows = workspaceChanges(fields).flatMap(key =>
    partsOf(key, fields).map(({ name, from, to }) => {
      const line = (what: typeof changes.before, value: string | undefined) =>
        html`<dd>${what}: ${value === undefined ? '–' : html`<bdi>${value}</bdi>`}</dd>\n`
      return html`<dt><code dir="ltr">${name}</code></dt>\n${line(changes.before, from)}${line(changes.after, to)}`
    }),
  )
  if (rows.length === 0) return undefined
  return html`<p>${review.workspace}</p>\n<dl class="facts">\n${rows}</dl>\n`
}

/** A changed value, as it is served and as it would be; undefined: none. */
type Part = { name: string; from: string | undefined; to: string | undefined }

/** The changed parts of a field of the workspace: the field itself, or each part of its theme that differs. */
function partsOf(key: ReturnType<typeof workspaceChanges>[number], { served, draft }: WorkspaceFields): Part[] {
  if (key !== 'theme') return [{ name: key, from: served[key], to: draft[key] }]
  // A damaged theme has no parts.
  const themeBefore = parsedJson(served.theme ?? '')
  const themeAfter = parsedJson(draft.theme ?? '')
  const parts = ['logo', 'accent', 'ground', 'corners', 'fonts'].map(name => ({
    name: `theme.${name}`,
    from: valueText(field(themeBefore, name)),
    to: valueText(field(themeAfter, name)),
    isSame: JSON.stringify(field(themeBefore, name)) === JSON.stringify(field(themeAfter, name)),
  }))
  return parts.filter(({ isSame }) => !isSame)
}

/** A value as text; a file as its path with the beginning of its hash, because another file may have the same path. */
function valueText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  const path = field(value, 'path')
  if (typeof path === 'string') return `${path} (${String(field(value, 'hash')).slice(0, 12)})`
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined
}

/** Whether a draft is approved, or who must still review it. */
export function reviewState(words: Words, { approved, missing, authors = [] }: Reviews): Html {
  const people = html`<bdi>${words.list(authors)}</bdi>`
  const own = authors.length > 0 && html` ${words.review.ownChange({ people })}`
  return html`<p>${approved ? words.review.approved : (missingText(words, missing) ?? words.review.unapproved)}${own}</p>\n`
}

/** All answers about a draft with their comments; `formFor` makes the forms of the latest. */
export function reviewList(words: Words, { reviews, answers }: DraftReviews, formFor?: AnswerForm): Html {
  const earlierAnswers = answers.slice(0, MAX_EARLIER)
  return html`${answerList(words, reviews, formFor)}${earlierAnswers.length > 0 && html`<details><summary>${words.review.earlier} (${words.number(answers.length)})</summary>\n${answerList(words, earlierAnswers)}</details>\n`}`
}

const MAX_EARLIER = 100

/** The people who must still review a draft before it can be published; undefined if nobody must. */
function missingText({ review, list }: Words, missing: Reviews['missing']): Html | Word | undefined {
  if (missing === undefined) return undefined
  if (typeof missing === 'number') return review.missingCount({ count: missing })
  return review.missingPeople({ people: html`<bdi>${list(missing)}</bdi>` })
}

/** Makes the form next to an answer, such as one that dismisses it; false for none. */
export type AnswerForm = (review: DraftReviews['reviews'][number]) => Html | false

/** A list of answers, newest first. Undefined without any. */
export function answerList(words: Words, reviews: readonly Review[], formFor?: AnswerForm): Html | undefined {
  const items = reviews.map(review => {
    return html`<li><div>${answerHtml(words, review)}</div>\n${formFor?.(review)}</li>\n`
  })
  return items.length === 0 ? undefined : html`<ul class="entries">\n${items}</ul>\n`
}

/** An answer with its marks, such as *for an earlier draft*, and its comment. */
function answerHtml(words: Words, review: Review): Html {
  const { comment, old, ended = false, dismissed = false } = review
  const lines = comment?.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)
  const marks = [
    old ? words.review.old : undefined,
    ended ? words.review.ended : undefined,
    dismissed ? words.review.dismissed : undefined,
  ]
  return html`<p>${answerText(words, review)}${marks.map(mark => mark && html` <span class="quiet">${mark}</span>`)}</p>${lines && html`\n<p dir="auto">${lines}</p>`}`
}

/** An answer in a sentence. One through a share link says so, and who made the link. */
function answerText(words: Words, { answer, who, link, by, at }: Review): Html | Word {
  const { review } = words
  const maker = by ? review.byLink({ who: html`<bdi>${by}</bdi>` }) : review.byUnknown
  const given = {
    who: html`<bdi>${who}</bdi>${link === true && html` ${maker}`}`,
    day: timeHtml(words, at),
  }
  return answer === 'approve' ? review.approvedBy(given) : review.askedBy(given)
}
