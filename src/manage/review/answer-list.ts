import type { Review } from '../../publishing/review.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'

/** The answers about a draft with their comments, newest first. Undefined without any. */
export function answerList(words: Words, reviews: readonly Review[]): Html | undefined {
  return reviews.length === 0 ? undefined : html`<ul>\n${reviews.map(review => answerItem(words, review))}</ul>\n`
}

function answerItem(words: Words, review: Review): Html {
  const { comment, old, ended = false, dismissed = false } = review
  const lines = comment?.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)
  const marks = [
    old ? words.review.old : undefined,
    ended ? words.review.ended : undefined,
    dismissed ? words.review.dismissed : undefined,
  ]
  return html`<li>${answerText(words, review)}${marks.map(mark => mark && html` <span class="quiet">${mark}</span>`)}${lines && html`\n<p dir="auto">${lines}</p>`}</li>
`
}

/** An answer in a sentence. One through a share link says so, and who made the link. */
export function answerText(
  { review: words, day }: Words,
  { answer, who, link, by, at }: Omit<Review, 'old'>,
): Html | Word {
  const maker = by ? words.byLink({ who: html`<bdi>${by}</bdi>` }) : words.byUnknown
  const given = {
    who: html`<bdi>${who}</bdi>${link === true && html` ${maker}`}`,
    day: html`<time datetime="${at}">${day(new Date(at))}</time>`,
  }
  return answer === 'approve' ? words.approvedBy(given) : words.askedBy(given)
}
