import type { UsagePeriod } from '#brand/usage.ts'
import { type KindUsage, total } from '#publishing/usage.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'

/** A bar: a day, or a week of a long period, with its count and that of the period before. */
type Bar = { label: string; count: number; before: number }

/**
 * Bars for the counts of a kind, paler ones behind them for the period before, and a table with the same numbers. Axes
 * and legend are text next to the drawing, so that they have the same size in each window.
 */
export function usageChart(words: Words, used: KindUsage, period: UsagePeriod): Html {
  const { usage, number } = words
  const bars = barsOf(words, used, period)
  const hasBefore = used.dailyBefore.length > 0
  const top = topOf(Math.max(...bars.map(({ count, before }) => Math.max(count, before))))
  const dates = [0, 0.5, 1].map(part => period.days[Math.floor(part * (period.days.length - 1))] ?? '')
  const label = usage.chart({
    kind: usage.kinds[used.kind],
    total: number(used.total),
    highest: number(Math.max(...used.daily)),
    count: period.days.length,
  })
  return html`<figure class="chart"><ol class="scale" aria-hidden="true">${[top, top / 2, 0].map(value => html`<li>${number(value)}</li>`)}</ol>
<svg viewBox="0 0 ${bars.length * 10} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="M0 0H${bars.length * 10}M0 ${HEIGHT / 2}H${bars.length * 10}M0 ${HEIGHT}H${bars.length * 10}"/>${drawBars(words, bars, top, hasBefore)}</svg>
<ol aria-hidden="true">${dates.map(day => html`<li><time datetime="${day}">${dayOfYear(words, day)}</time></li>`)}</ol>
${hasBefore && html`<figcaption><span class="current">${usage.current}</span> <span class="then">${usage.previous}</span></figcaption>\n`}</figure>
<details><summary>${usage.numbers}</summary>
${countTable(words, usage.day, bars.toReversed(), hasBefore)}</details>
`
}

/** The bars as SVG, below a scale that ends at `top`, with their numbers. */
function drawBars({ usage, number }: Words, bars: readonly Bar[], top: number, hasBefore: boolean): Html[] {
  // Each bar has ten units of width, in whose middle its rectangles are. They grow from the bottom, where y is `HEIGHT`.
  const rect = (at: number, count: number, width: number, name: string) => {
    const height = (count / top) * HEIGHT
    return (
      height > 0 &&
      html`<rect class="${name}" x="${at * 10 + 5 - width / 2}" y="${HEIGHT - height}" width="${width}" height="${height}"/>`
    )
  }
  // An invisible rectangle (`hit`) shows the numbers of a bar at any height; then the paler bar, and the bar itself.
  return bars.map(({ label, count, before }, at) => {
    const text = `${label}: ${number(count)}${hasBefore ? ` (${usage.previous}: ${number(before)})` : ''}`
    return html`<g><title>${text}</title>${rect(at, top, 10, 'hit')}${rect(at, before, 9, 'then')}${rect(at, count, hasBefore ? 5 : 8, 'current')}</g>`
  })
}

const HEIGHT = 100
/** The most days with a bar each. Longer periods have a bar for each week. */
const MAX_DAILY = 120

function barsOf(words: Words, { daily, dailyBefore }: KindUsage, { days }: UsagePeriod): Bar[] {
  const daysEach = days.length > MAX_DAILY ? 7 : 1
  const barCount = Math.floor(days.length / daysEach)
  // The first week also has the days that are left over: 365 days are 52 bars, of which the first has 8.
  const startOf = (bar: number) => (bar === 0 ? 0 : days.length - (barCount - bar) * daysEach)
  return Array.from({ length: barCount }, (_, at) => {
    const start = startOf(at)
    const end = startOf(at + 1)
    const first = dayOfYear(words, days[start])
    const last = dayOfYear(words, days[end - 1])
    return {
      label: daysEach === 1 ? first : `${first} – ${last}`,
      count: total(daily.slice(start, end)),
      before: total(dailyBefore.slice(start, end)),
    }
  })
}

function dayOfYear(words: Words, day = ''): string {
  return words.dayOfYear(new Date(day))
}

/** The top of the axis: an even number of one or two significant digits, not below the highest count: 160 for 140. */
function topOf(highest: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, highest)))
  return [1, 1.2, 1.6, 2, 3, 4, 6, 8].map(part => part * step).find(top => top >= highest && top % 2 === 0) ?? 10 * step
}

/** Counts by name, next to those of the period before if they are known. */
export function countTable(
  { usage, number }: Words,
  head: Word,
  rows: readonly { label: Html | string; count: number; before: number }[],
  hasBefore: boolean,
): Html {
  const heads = hasBefore ? [head, usage.current, usage.previous] : [head, usage.current]
  const row = ({ label, count, before }: (typeof rows)[number]) =>
    html`<tr><th scope="row">${label}</th><td>${number(count)}</td>${hasBefore && html`<td>${number(before)}</td>`}</tr>\n`
  return html`<table><thead><tr>${heads.map(text => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody></table>
`
}
