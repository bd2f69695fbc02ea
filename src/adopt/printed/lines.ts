import type { Box } from '#formats/pdf/document.ts'
import { type Letter, type PdfPage, quarterOf, type Shape, type Style } from '#formats/pdf/page.ts'
import { singleSpaced } from '#platform/base/text.ts'
import { boxAround, groupsOf, isBetween, lastOf, type Run, runsOf } from './boxes.ts'

/** Words on one baseline without a wide gap, in the style of most of their letters. */
export type Line = Box & Style & { text: string; base: number }

/** The lines of text on a page, in no order, also lines that are turned upright or upside down. Slanted text is returned separately. */
export function linesOf({ letters, shapes }: PdfPage): { lines: Line[]; turned: string } {
  const lettersIn = (quarter: number | undefined) => letters.filter(({ angle }) => quarterOf(angle) === quarter)
  const lines = [0, 1, 2, 3].flatMap(quarter => {
    const own = lettersIn(quarter)
    if (quarter === 0) return withMarks(levelLines(own), shapes)
    const angle = (quarter * Math.PI) / 2
    const level = own.map(letter => ({ ...letter, ...turnBox(letter, -angle) }))
    return levelLines(level).map(line => ({ ...line, ...turnBox(line, angle) }))
  })
  const slanted = lettersIn(undefined).map(({ text }) => text)
  return { lines, turned: singleSpaced(slanted.join('')) }
}

/** A box that is turned around the corner of the page, with the baseline at its bottom. */
function turnBox({ left, top, right, bottom }: Box, angle: number): Box & { base: number } {
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))]
  const [x0, x1] = [left * cos - top * sin, right * cos - bottom * sin]
  const [y0, y1] = [left * sin + top * cos, right * sin + bottom * cos]
  const box = { left: Math.min(x0, x1), top: Math.min(y0, y1), right: Math.max(x0, x1), bottom: Math.max(y0, y1) }
  return { ...box, base: box.bottom }
}

function levelLines(letters: readonly Letter[]): Line[] {
  const ordered = letters.some(({ text }) => isRightToLeft(text)) ? withPhrases(letters) : letters
  return withBothDirections(runsOf(ordered, follows).flatMap(lineOf))
}

/** Between words from right to left, PDFium lists the words of a phrase in the other direction from its end. */
function withPhrases(letters: readonly Letter[]): Letter[] {
  const words = runsOf(letters, (run, letter) => letter.left >= lastOf(run).left && follows(run, letter))
  const isTurning = (word: readonly Letter[]) => word.some(({ text }) => isRightToLeft(text))
  const phrases = runsOf(words, (phrase, word) => {
    const last = lastOf(phrase)
    return ![last, word].some(isTurning) && follows(word, last[0])
  })
  const isLatin = (phrase: readonly Letter[][]) => phrase.flat().some(({ text }) => /\p{Script=Latin}/u.test(text))
  return phrases.flatMap(phrase => (isLatin(phrase) ? phrase.reverse() : phrase).flat())
}

/** Lines with the marks of lists to their left, which may be drawn. */
function withMarks(lines: readonly Line[], shapes: readonly Shape[]): Line[] {
  const dots = shapes.filter(({ fill, left, right, top, bottom }) => fill && Math.max(right - left, bottom - top) < 6)
  const marks = [
    ...lines.filter(({ text }) => `${text} `.replace(MARK, '') === ''),
    ...dots.map(dot => ({ ...dot, text: '•' })),
  ]
  const used = new Set<Box | undefined>()
  const marked = lines.map(line => {
    const isBefore = ({ right, top, bottom }: Box) =>
      isBetween(line.left - right, -1, 4 * line.size) &&
      Math.abs((top + bottom) / 2 - line.base + 0.3 * line.size) < 0.2 * line.size
    const mark = marks.find(each => each !== line && isBefore(each))
    used.add(mark)
    return mark ? { ...line, text: `${mark.text} ${line.text}` } : line
  })
  return marked.filter((_, at) => !used.has(lines[at]))
}

/** A bullet or a number before the item of a list. */
export const MARK = /^(?:[•·▪▸►◦‣⁃○●■□–—✓✔✗✘-]|\d{1,2}[.)])\s+/u

/** Whether a letter continues a run: on its baseline, in about its size, next to it. */
function follows(run: Readonly<Run<Letter>>, { text, left, right, base, size }: Letter): boolean {
  const last = lastOf(run)
  if (Math.max(Math.abs(last.base - base) / 0.3, Math.abs(last.size - size) / 0.6) > size) return false
  const gap = isRightToLeft(text) ? last.left - right : left - last.right
  // The letters of a ligature have one box.
  return gap < MAX_GAP * size && (gap > -size || left === last.left)
}

/** Joins lines between which only the direction of writing changes. */
function withBothDirections(lines: readonly Line[]): Line[] {
  const runs = runsOf(lines, (run, line) => {
    const isTurn = isLevel(lastOf(run), line) && [...run, line].some(({ text }) => isRightToLeft(text))
    return isTurn && Math.abs(gapBetween(boxAround(run), line)) < MAX_GAP
  })
  return runs.map(run => {
    const words = run.map((line, at) => {
      const before = boxAround(run.slice(0, at))
      return gapBetween(before, line) > WORD_GAP ? ` ${line.text}` : line.text
    })
    return { ...run[0], ...boxAround(run), text: words.join('').trim() }
  })
}

/** Wider gaps, in letter heights, separate columns. */
const MAX_GAP = 1.2

export function isRightToLeft(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)
}

function lineOf(run: readonly Letter[]): Line[] {
  const letters = run.filter(({ text }) => text.trim() !== '')
  const [first] = letters
  if (!first) return []
  const gaps = new Map(letters.map((letter, at) => [letter, gapBetween(letters[at - 1] ?? letter, letter)]))
  // Letters that are set apart all have this gap, and may have a space each.
  const [tracking = 0] = [...gaps.values()]
    .slice(1)
    .sort((a, b) => a - b)
    .slice(Math.floor((gaps.size - 1) / 4))
  const isWord = run.length > 1.7 * letters.length && /^\p{L}{5,}$/u.test(letters.map(({ text }) => text).join(''))
  const words = (isWord ? letters : run).map(letter => {
    const text = letter.text.trim() || ' '
    const gap = gaps.get(letter) ?? 0
    return gap > Math.max(0, tracking) + WORD_GAP ? ` ${text}` : text
  })
  const styles = Map.groupBy(letters, ({ font, weight, size, color }) => [font, weight, size.toFixed(1), color].join())
  const [[most = first] = []] = [...styles.values()].sort((a, b) => b.length - a.length)
  const { font, weight, size, color } = most
  return [{ ...boxAround(letters), font, weight, size, color, text: plain(words.join('')), base: first.base }]
}

/** The gap between words, in letter heights; spaces are about 0.25. */
const WORD_GAP = 0.17

function gapBetween(before: Box, { left, right, size }: Box & Style): number {
  return Math.max(left - before.right, before.left - right) / (size || 1)
}

/** Compares the places of lines: from top to bottom, then from left to right. */
export function byBase(one: Line, other: Line): number {
  return one.base - other.base || one.left - other.left
}

/** The lines on each baseline, from top to bottom and left to right. */
export function levelsOf<Item extends Line>(lines: readonly Item[]): Item[][] {
  const sorted = lines.toSorted((a, b) => a.base - b.base)
  const levels = groupsOf(sorted, ([first], line) => isLevel(first, line))
  return levels.map(level => level.sort((a, b) => a.left - b.left))
}

export function isLevel(one: Line, other: Line): boolean {
  return Math.abs(one.base - other.base) < 0.3 * other.size
}

/** The parts of a line between places across it: cut at the nearest spaces, as if all of its letters were equally wide. */
export function splitLine(line: Line, places: readonly number[]): Line[] {
  const { text, left, right, size } = line
  const width = (right - left) / text.length
  const starts = Array.from(text.matchAll(/(?<=\s)\S/g), ({ index }) => index)
  const nearestStart = (place: number) => {
    const farness = (start: number) => Math.abs(left + start * width - place)
    return starts.toSorted((a, b) => farness(a) - farness(b))[0] ?? 0
  }
  const inner = places.filter(place => isBetween(place, left + size / 2, right - size / 2))
  const cuts = [...new Set([0, ...inner.map(nearestStart)])].sort((a, b) => a - b)
  return cuts.map((start, at) => {
    const end = cuts[at + 1] ?? text.length
    return { ...line, text: text.slice(start, end).trim(), left: left + start * width, right: left + end * width }
  })
}

export function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '')
}

/** Keys with the sum of their weights, the heaviest first. */
export function heaviest<Key>(weighed: Iterable<readonly [key: Key, weight: number]>): [Key, number][] {
  const sums = new Map<Key, number>()
  for (const [key, weight] of weighed) sums.set(key, (sums.get(key) ?? 0) + weight)
  return [...sums].sort((a, b) => b[1] - a[1])
}

/** Text without ligatures, soft hyphens and marks of direction. */
function plain(text: string): string {
  return singleSpaced(
    text
      .replaceAll(/[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufeff]/g, each => each.normalize('NFKC'))
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ''),
  )
}
