import type { Review } from '../../publishing/review.ts'
import { type Html, html } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'

/** The answers about a draft with their comments, newest first. Undefined without any. */
export function answerList(words: Words, reviews: readonly Review[]): Html | undefined {
  return reviews.length === 0 ? undefined : html`<ul>\n${reviews.map(review => answerItem(words, review))}</ul>\n`
}

function answerItem({ review: words, day }: Words, { answer, who, comment, old, at }: Review): Html {
  const given = {
    who: html`<bdi>${who}</bdi>`,
    day: html`<time datetime="${at}">${day(new Date(at))}</time>`,
  }
  const text = answer === 'approve' ? words.approvedBy(given) : words.askedBy(given)
  const lines = comment?.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)
  return html`<li>${text}${old && html` <span class="quiet">${words.old}</span>`}${lines && html`\n<p dir="auto">${lines}</p>`}</li>
`
}
