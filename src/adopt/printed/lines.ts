import type { Box } from '#brand/pdf/document.ts'
import type { Letter, PdfPage, Shape, Style } from '#brand/pdf/page.ts'

/** Words on one baseline without a wide gap, in the style of most of their letters. */
export type Line = Box & Style & { text: string; base: number }

/** The lines of text on a page, in no order. Text that is turned is told apart. */
export function linesOf({ letters, shapes }: PdfPage): { lines: Line[]; turned: string } {
  const isLevel = ({ angle }: Letter) => Math.abs(Math.sin(angle)) < 0.1 && Math.cos(angle) > 0
  const runs: Letter[][] = []
  for (const letter of letters.filter(isLevel)) {
    const run = runs.at(-1)
    if (run && follows(run, letter)) run.push(letter)
    else runs.push([letter])
  }
  const turned = letters.filter(letter => !isLevel(letter)).map(({ text }) => text)
  return {
    lines: withMarks(
      runs.flatMap(run => lineOf(run) ?? []),
      shapes,
    ),
    turned: turned.join('').replaceAll(/\s+/g, ' ').trim(),
  }
}

/** Lines with the marks of lists to their left, which may be drawn. */
function withMarks(lines: readonly Line[], shapes: readonly Shape[]): Line[] {
  const marks = lines.filter(({ text }) => /^(?:[•·▪▸►◦‣⁃○●■□–—✓✔✗✘-]|\d{1,2}[.)])$/u.test(text))
  const dots = shapes.filter(({ fill, left, right, top, bottom }) => fill && Math.max(right - left, bottom - top) < 6)
  const used = new Set<Line>()
  const marked = new Map(
    lines.map(line => {
      const isBefore = (mark: Box) => line.left > mark.right - 1 && line.left - mark.right < 4 * line.size
      const mark = marks.find(
        each => each !== line && Math.abs(each.base - line.base) < 0.3 * line.size && isBefore(each),
      )
      if (mark) used.add(mark)
      const isDotted = dots.some(dot => isBefore(dot) && dot.top > line.top && dot.bottom < line.bottom + 1)
      const sign = mark?.text ?? (isDotted ? '•' : undefined)
      return [line, sign === undefined ? line : { ...line, text: `${sign} ${line.text}` }] as const
    }),
  )
  return [...marked].flatMap(([line, shown]) => (used.has(line) ? [] : [shown]))
}

/** Whether a letter continues a run: on its baseline, in about its size, next to it. */
function follows(run: readonly Letter[], { text, left, right, base, size }: Letter): boolean {
  const last = run.at(-1)
  if (!last || Math.abs(last.base - base) > 0.3 * size || Math.abs(last.size - size) > 0.6 * size) return false
  const gap = isRightToLeft(text) ? last.left - right : left - last.right
  return gap < MAX_GAP * size && gap > -size
}

/** Wider gaps, in letter heights, separate columns. */
const MAX_GAP = 1.2

function isRightToLeft(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)
}

function lineOf(run: readonly Letter[]): Line | undefined {
  const letters = run.filter(({ text }) => text.trim() !== '')
  const [first] = letters
  if (!first) return undefined
  const gaps = letters.slice(1).map((letter, at) => gapBetween(letters[at] ?? letter, letter))
  // Letters that are set apart all have this gap.
  const tracking = Math.max(0, gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 4)] ?? 0)
  let text = ''
  let at = -1
  for (const letter of run) {
    if (letter.text.trim() === '') {
      if (tracking < WORD_GAP && !text.endsWith(' ')) text += ' '
      continue
    }
    if (at >= 0 && !text.endsWith(' ') && (gaps[at] ?? 0) > tracking + WORD_GAP) text += ' '
    text += letter.text
    at++
  }
  const style = mostOf(letters)
  const box = boxAround(letters)
  return { ...box, ...style, text: plain(text), base: first.base }
}

/** The gap between words, in letter heights; spaces are about 0.25. */
const WORD_GAP = 0.17

function gapBetween(before: Letter, { text, left, right, size }: Letter): number {
  return (isRightToLeft(text) ? before.left - right : left - before.right) / (size || 1)
}

/** The style that most of the letters have. */
function mostOf(letters: readonly Letter[]): Style {
  const counts = new Map<string, { count: number; style: Style }>()
  for (const { font, weight, size, color } of letters) {
    const key = [font, weight, size.toFixed(1), color].join()
    const entry = counts.get(key) ?? { count: 0, style: { font, weight, size, color } }
    entry.count++
    counts.set(key, entry)
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count)
  return most?.style ?? { font: '', weight: 0, size: 0, color: '' }
}

/** Text without ligatures, soft hyphens and marks of direction. */
function plain(text: string): string {
  return text
    .replaceAll(/[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufeff]/g, each => each.normalize('NFKC'))
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export function boxAround(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(each => each.left)),
    top: Math.min(...boxes.map(each => each.top)),
    right: Math.max(...boxes.map(each => each.right)),
    bottom: Math.max(...boxes.map(each => each.bottom)),
  }
}

/** Whether the middle of a box lies in another one. */
export function isInside(box: Box, outer: Box): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return x > outer.left && x < outer.right && y > outer.top && y < outer.bottom
}
