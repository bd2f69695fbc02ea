import type { Box } from '#brand/pdf/document.ts'
import { escapeHtml } from '#platform/base/text.ts'
import { COLUMNS } from '../pages/palettes.ts'
import type { Figure } from './figures.ts'
import { type Block, isBold } from './layout.ts'
import { boxAround, isRightToLeft, type Line } from './lines.ts'
import type { Palette, Swatch } from './swatches.ts'

export type Text = Block & { kind: 'text'; isHeading: boolean }
type Picture = Box & { kind: 'figure'; figure: Figure; caption?: Block; address?: string }
export type Part = Text | Picture | (Palette & { kind: 'palette' })

/** Joins each picture and the short text directly below it. */
export function withCaptions(parts: readonly Part[]): Part[] {
  const captions = new Set<Part>()
  const joined = parts.map(part => {
    if (part.kind !== 'figure') return part
    const caption = parts.find(
      each => each.kind === 'text' && !each.isHeading && !captions.has(each) && isBelow(each, part),
    )
    if (caption?.kind !== 'text') return part
    captions.add(caption)
    return { ...part, ...boxAround([part, caption]), caption }
  })
  return joined.filter(part => !captions.has(part))
}

/** A short text directly below a figure: within its width, at its left or in its middle. */
function isBelow({ left, top, right, lines, size }: Block, figure: Box): boolean {
  const length = lines.reduce((sum, { text }) => sum + text.length, 0)
  const isNear = top > figure.bottom - 2 && top - figure.bottom < 2.5 * size
  const isWithin = left > figure.left - size && right < figure.right + size
  const isAligned =
    Math.min(Math.abs(left - figure.left), Math.abs(left + right - figure.left - figure.right)) < 2 * size
  return isNear && length < 200 && (isWithin || isAligned)
}

/** Joins sentences that go on in the next column or page. */
export function withoutBreaks(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const goesOn =
      part.kind === 'text' &&
      last?.kind === 'text' &&
      part.size === last.size &&
      /^\p{Ll}/u.test(part.lines[0]?.text ?? '') &&
      /[^.!?:]$/.test(last.lines.at(-1)?.text ?? '') &&
      paragraphs(last).join(' ').length > MAX_LABEL
    if (goesOn) last.lines.push(...part.lines)
    else joined.push(part)
  }
  return joined
}

/** In letters: a label is shorter than a line of a sentence. */
const MAX_LABEL = 40

/** Writes parts as HTML: headings have levels by their sizes. */
export function partsHtml(parts: readonly Part[], sizes: readonly number[]): string {
  const html = parts.map((part, at) => {
    if (part.kind === 'figure') return figureHtml(part)
    if (part.kind === 'text') return textHtml(part, Math.min(2 + sizes.indexOf(Math.round(part.size)), 4))
    const before = parts[at - 1]
    if (before?.kind === 'palette') part.swatches.unshift(...before.swatches)
    return parts[at + 1]?.kind === 'palette' ? '' : swatchesHtml(part.swatches)
  })
  // Items that stand apart are one list.
  return html.join('\n').replaceAll(/<\/([uo]l)>\n<\1>/g, '')
}

function textHtml(block: Text, level: number): string {
  if (block.isHeading) return `<h${level}>${escapeHtml(paragraphs(block).join(' '))}</h${level}>`
  const items = itemsOf(block)
  if (items) return `<${items.tag}>${items.texts.map(text => `<li>${escapeHtml(text)}</li>`).join('')}</${items.tag}>`
  return paragraphs(block)
    .map(text => `<p>${isBold(block) ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)}</p>`)
    .join('\n')
}

/** The items of a list, if each begins with a mark or a number. */
function itemsOf({ lines }: Block): { tag: 'ul' | 'ol'; texts: string[] } | undefined {
  const first = lines[0]?.text ?? ''
  const [tag, mark] = BULLET.test(first) ? (['ul', BULLET] as const) : (['ol', NUMBER] as const)
  if (!mark.test(first) || (tag === 'ol' && lines.filter(({ text }) => mark.test(text)).length < 2)) return undefined
  const items: Line[][] = []
  for (const line of lines) {
    if (mark.test(line.text)) items.push([line])
    else items.at(-1)?.push(line)
  }
  return { tag, texts: items.map(item => joinLines(item.map(({ text }) => text)).replace(mark, '')) }
}

export const BULLET = /^[•·▪▸►◦‣⁃○●■□–—✓✔✗✘-]\s+/u
const NUMBER = /^\d{1,2}[.)]\s+/

/** The paragraphs of a block: a line that ends a sentence far before the others, or begins further in, divides them. */
export function paragraphs({ lines, left, right, size }: Block): string[] {
  const texts: string[][] = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    const isEnded = before !== undefined && /[.!?:…]["”’)]?$/.test(before.text)
    const isShort = isEnded && before.right - before.left < 0.7 * (right - left)
    const isIndented =
      isEnded && (isRightToLeft(line.text) ? before.right - line.right : line.left - before.left) > 0.8 * size
    if (at === 0 || isShort || isIndented) texts.push([line.text])
    else texts.at(-1)?.push(line.text)
  }
  return texts.map(joinLines)
}

/** Joins lines of one text; a word that is divided at the end of a line becomes whole. */
function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
    const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text)
    return text + (text === '' || isCjk ? '' : ' ') + line
  }, '')
}

function tableHtml([head = [], ...rows]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map(each => row(each, 'td')).join('\n')}</tbody></table>`
}

function figureHtml({ figure, address = '', caption }: Picture): string {
  const image = `<img src="${escapeHtml(address)}" alt="${escapeHtml(figure.labels)}">`
  if (!caption) return `<p>${image}</p>`
  return `<figure>${image}<figcaption>${escapeHtml(paragraphs(caption).join(' '))}</figcaption></figure>`
}

function swatchesHtml(swatches: readonly Swatch[]): string {
  const columns = ['Name', ...COLUMNS, 'Usage'].filter(column => swatches.some(({ values }) => values.has(column)))
  return tableHtml([columns, ...swatches.map(({ values }) => columns.map(column => values.get(column) ?? ''))])
}
