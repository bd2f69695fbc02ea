import { COLUMNS } from '#brand/styles/notation.ts'
import type { Box } from '#formats/pdf/document.ts'
import { escapeHtml, fieldText } from '#platform/base/text.ts'
import { across, boxAround, isBetween, lastOf, runsOf } from './boxes.ts'
import type { Figure } from './figures.ts'
import { type Block, beginsSmall, endsSentence, isBold, joinLines, paragraphs } from './layout.ts'
import { type Line, MARK } from './lines.ts'
import type { Palette, Swatch } from './swatches.ts'
import type { Table } from './tables.ts'

export type Text = Block & { kind: 'text'; isHeading: boolean }
export type Picture = Box & { kind: 'figure'; figure: Figure; caption?: string; address?: string | undefined }
export type Part = Text | Picture | (Palette & { kind: 'palette' }) | (Table & { kind: 'table' })

/** A page of the document with its parts. */
export type Read = { number: number; parts: Part[] }

/** Joins each picture and the short text directly below it. */
export function withCaptions(parts: readonly Part[]): Part[] {
  const captions = new Set<Part>()
  const figures = parts.filter(part => part.kind === 'figure')
  const isLabel = (text: Text, above: Box) =>
    figures.some(each => isBetween(each.top - text.bottom, -2, text.top - above.bottom) && across(each, text) === 0)
  const joined = parts.map(part => {
    if (part.kind !== 'figure') return part
    const caption = textsIn(parts).find(text => !captions.has(text) && isCaption(text, part) && !isLabel(text, part))
    if (!caption) return part
    captions.add(caption)
    return { ...part, ...boxAround([part, caption]), caption: caption.text }
  })
  return joined.filter(part => !captions.has(part))
}

export function textsIn(parts: readonly Part[]): Text[] {
  return parts.filter(part => part.kind === 'text')
}

export function headingsIn(parts: readonly Part[]): Text[] {
  return textsIn(parts).filter(({ isHeading }) => isHeading)
}

/** A short text directly below a figure: within its width, at its left or in its middle. */
function isCaption({ left, top, right, text, size, isHeading }: Text, figure: Box): boolean {
  const isNear = isBetween(top - figure.bottom, -2, 2.5 * size)
  const isWithin = left > figure.left - size && right < figure.right + size
  const distances = [left - figure.left, left + right - figure.left - figure.right].map(Math.abs)
  return !isHeading && isNear && text.length < 200 && (isWithin || Math.min(...distances) < 2 * size)
}

/** Joins palettes, and sentences that continue in the next column or page. */
export function withoutBreaks(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.kind === 'palette' && part.kind === 'palette') last.swatches.push(...part.swatches)
    else if (last?.kind === 'text' && part.kind === 'text' && isOneSentence(last, part)) last.lines.push(...part.lines)
    else joined.push(part)
  }
  return joined
}

function isOneSentence(one: Text, next: Text): boolean {
  const isInside = !endsSentence(lastOf(one.lines).text) && beginsSmall(next.lines[0].text)
  return isInside && one.size === next.size && one.text.length > MAX_LABEL
}

/** In letters: a label is shorter than a line of a sentence. */
const MAX_LABEL = 40

/** Writes parts as HTML: headings have levels by their sizes. */
export function partsHtml(parts: readonly Part[], sizes: readonly number[]): string {
  const html = parts.map(part => {
    if (part.kind === 'figure') return figureHtml(part)
    if (part.kind === 'table') return tableHtml(part.rows)
    if (part.kind === 'palette') return swatchesHtml(part.swatches)
    return textHtml(part, Math.min(2 + sizes.indexOf(Math.round(part.size)), 4))
  })
  // Separate items are one list.
  return html.join('\n').replaceAll(/<\/([uo]l)>\n<\1>/g, '')
}

function textHtml(block: Text, level: number): string {
  if (block.isHeading) return `<h${level}>${escapeHtml(block.text)}</h${level}>`
  const items = itemsOf(block)
  if (items) return `<${items.tag}>${items.texts.map(text => `<li>${escapeHtml(text)}</li>`).join('')}</${items.tag}>`
  return paragraphs(block)
    .map(text => `<p>${isBold(block) ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)}</p>`)
    .join('\n')
}

/** The items of a list, if each begins with a mark or a number. */
function itemsOf({ lines }: Block): { tag: 'ul' | 'ol'; texts: string[] } | undefined {
  const isNumbered = ({ text }: Line) => Number.parseInt(text, 10) >= 0
  const [first] = lines
  const tag = isNumbered(first) ? 'ol' : 'ul'
  const isItem = (line: Line) => MARK.test(line.text) && isNumbered(line) === isNumbered(first)
  const items = runsOf(lines, (_, line) => !isItem(line))
  // A single number may begin a sentence.
  const isList = isItem(first) && (tag === 'ul' || items.length > 1)
  return isList ? { tag, texts: items.map(item => joinLines(item).replace(MARK, '')) } : undefined
}

/** The alternative text of a picture: its caption, and the texts inside it. */
export function altOf({ figure, caption = '' }: Picture): string {
  return [caption, figure.labels].filter(text => text !== '').join(': ')
}

function figureHtml(picture: Picture): string {
  const alt = escapeHtml(altOf(picture))
  if (picture.address === undefined) return `<p>${alt}</p>`
  const image = `<img src="${escapeHtml(picture.address)}" alt="${alt}">`
  if (picture.caption === undefined) return `<p>${image}</p>`
  return `<figure>${image}<figcaption>${escapeHtml(picture.caption)}</figcaption></figure>`
}

function swatchesHtml(swatches: readonly Swatch[]): string {
  const columns = ['Name', ...COLUMNS, 'Usage'].filter(column => swatches.some(({ values }) => values.has(column)))
  const row = (isHeader: boolean, textOf: (column: string) => string) =>
    columns.map(column => ({ text: textOf(column), columns: 1, rows: 1, isHeader }))
  const rows = swatches.map(({ values }) => row(false, column => fieldText(values, column)))
  return tableHtml([row(true, column => column), ...rows])
}

function tableHtml(rows: Table['rows']): string {
  const span = (name: string, count: number) => (count > 1 ? ` ${name}="${count}"` : '')
  const cells = rows.map(row =>
    row.map(({ text, isHeader, ...cell }) => {
      const tag = isHeader ? 'th' : 'td'
      return `<${tag}${span('colspan', cell.columns)}${span('rowspan', cell.rows)}>${escapeHtml(text)}</${tag}>`
    }),
  )
  return `<table>${cells.map(row => `<tr>${row.join('')}</tr>`).join('\n')}</table>`
}
