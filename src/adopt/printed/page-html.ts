import type { Box } from '#brand/pdf/document.ts'
import { escapeHtml } from '#platform/base/text.ts'
import { COLUMNS } from '../pages/palettes.ts'
import type { Figure } from './figures.ts'
import { type Block, isBold } from './layout.ts'
import type { Line } from './lines.ts'
import type { Palette, Swatch } from './swatches.ts'

/** A part of a page, in reading order. */
export type Part = (Block & { kind: 'text' }) | (Figure & { kind: 'figure' }) | (Palette & { kind: 'palette' })

/** Writes parts as HTML: `headingOf` tells the headings, `pictureOf` the address of a figure. */
export function partsHtml(
  parts: readonly Part[],
  headingOf: (block: Block) => number | undefined,
  pictureOf: (figure: Figure) => string | undefined,
): string {
  const html: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part?.kind === 'text') html.push(textHtml(part, headingOf(part)))
    if (part?.kind === 'figure') {
      const next = parts[at + 1]
      const isCaption = next?.kind === 'text' && headingOf(next) === undefined && isBelow(next, part)
      html.push(figureHtml(part, pictureOf(part), isCaption ? paragraphs(next).join(' ') : undefined))
      if (isCaption) at++
    }
    if (part?.kind === 'palette') {
      const swatches = part.swatches
      for (let next = parts[at + 1]; next?.kind === 'palette'; next = parts[++at + 1]) swatches.push(...next.swatches)
      html.push(swatchesHtml(swatches))
    }
  }
  return html.join('\n')
}

/** A short text directly below a figure. */
function isBelow({ left, top, lines, size }: Block, figure: Box): boolean {
  const length = lines.reduce((sum, { text }) => sum + text.length, 0)
  const isNear = top > figure.bottom - 2 && top - figure.bottom < 2 * size
  return isNear && length < 200 && left > figure.left - size && left < figure.right
}

function textHtml(block: Block, level: number | undefined): string {
  if (level !== undefined) return `<h${level}>${escapeHtml(paragraphs(block).join(' '))}</h${level}>`
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

const BULLET = /^[•·▪▸►◦‣⁃○●■□–—✓✔✗✘-]\s+/u
const NUMBER = /^\d{1,2}[.)]\s+/

/** The paragraphs of a block: a line that ends far before the others, or begins further in, divides them. */
export function paragraphs({ lines, right, size }: Block): string[] {
  const texts: string[][] = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    const isEnded = before !== undefined && /[.!?:…]["”’)]?$/.test(before.text)
    const isShort = isEnded && right - before.right > 0.3 * (right - line.left)
    const isIndented = isEnded && line.left - before.left > 0.8 * size
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

function figureHtml({ labels }: Figure, address: string | undefined, caption: string | undefined): string {
  if (address === undefined) return labels === '' ? '' : `<p>${escapeHtml(labels)}</p>`
  const image = `<img src="${escapeHtml(address)}" alt="${escapeHtml(labels)}">`
  return caption === undefined
    ? `<p>${image}</p>`
    : `<figure>${image}<figcaption>${escapeHtml(caption)}</figcaption></figure>`
}

function swatchesHtml(swatches: readonly Swatch[]): string {
  const columns = ['Name', ...COLUMNS, 'Usage'].filter(column => swatches.some(({ values }) => values.has(column)))
  return tableHtml([columns, ...swatches.map(({ values }) => columns.map(column => values.get(column) ?? ''))])
}
