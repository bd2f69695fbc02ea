import type { Color } from '../brand/color.ts'
import { type BrandFile, filename, isFont, isPicture } from '../brand/file.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import type { PageText } from './index-messages.ts'
import { pageSections } from './page-sections.ts'

/** A text of an entry: how much its words count, and how many words such a text usually has. */
export type Field = { text: string; weight: number; usual: number }

/** A part of a page, whose heading and anchor are empty at its top. */
export type PagePart = { heading: string; anchor: string; text: string }

const NAME = { weight: 10, usual: 2 }
const HEADING = { weight: 6, usual: 3 }
/** Names of what a thing belongs to. */
const AROUND = { weight: 2, usual: 3 }
const VALUES = { weight: 8, usual: 30 }
const DESCRIPTION = { weight: 3, usual: 20 }
const TEXT = { weight: 1, usual: 100 }

/** Values are found as they are written, and together: `285 C` and `285C`, `#fff` and `#ffffff`. */
export function colorFields(color: Color): Field[] {
  const { id, name, rgb, cmyk = '', hex, pms = '', pms2 = '', ral, group = '', use = '' } = color
  const short = /^#(.)\1(.)\2(.)\3$/.exec(hex)?.slice(1).join('')
  const pantone = [pms, pms2].filter(Boolean).flatMap(text => [text, text.replaceAll(/\s/g, '')])
  const ralText = ral === undefined ? '' : `${ral} RAL${ral}`
  return [
    { text: name, ...NAME },
    { text: [hex, short, rgb, cmyk, ...pantone, ralText].join(' '), ...VALUES },
    { text: `${id} colour color ${pms && 'Pantone PMS'} ${ral === undefined ? '' : 'RAL'}`, ...AROUND },
    { text: group, ...AROUND },
    { text: use, ...DESCRIPTION },
  ]
}

/** A type style is found by its name, its family and its id. */
export function typeFields({ id, name, family = '' }: TypeStyle): Field[] {
  return [
    { text: name, ...NAME },
    { text: family, ...HEADING },
    { text: `${id} type style`, ...AROUND },
  ]
}

/** A file is found by its title, its path, its type and what is said of it. */
export function fileFields(file: BrandFile): Field[] {
  const { path, contentType, title = '' } = file
  const description = isPicture(file) ? file.metadata?.description : isFont(file) ? file.metadata?.family : undefined
  return [
    { text: title, ...NAME },
    { text: filename(path), ...(title === '' ? HEADING : AROUND) },
    { text: `${path} ${contentType}`, ...TEXT },
    { text: (description ?? '').slice(0, MAX_PIECE), ...DESCRIPTION },
  ]
}

/** A part of a page is found by its text and heading, and the top of the page by what is said of all of it. */
export function partFields({ id, name, description = '' }: PageText, { heading, text }: PagePart): Field[] {
  const isTop = heading === ''
  return [
    { text: name, ...(isTop ? NAME : AROUND) },
    { text: isTop ? description : heading, ...(isTop ? DESCRIPTION : HEADING) },
    { text: isTop ? id : '', ...AROUND },
    { text, ...TEXT },
  ]
}

/** The parts of a page, short enough to search quickly. A title at the start counts as the page's own. */
export function partsOf(markdown: string): PagePart[] {
  const parts = pageSections(markdown).flatMap(({ level, heading, id, text }, at) => {
    const isTop = at === 0 && level < 2
    return inPieces(withoutBars(text)).map(piece => ({
      heading: isTop ? '' : heading,
      anchor: isTop ? '' : id,
      text: piece,
    }))
  })
  return parts[0]?.heading === '' ? parts : [{ heading: '', anchor: '', text: '' }, ...parts]
}

/** The cells of tables with something between them that reads well in a line. */
function withoutBars(text: string): string {
  return text.replace(/ ?\|[ |]*/g, ' · ').replace(/^ · | · $/g, '')
}

const MAX_PIECE = 2000

/** Splits a text into pieces, between words if it has any. */
function inPieces(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > MAX_PIECE) {
    const space = text.slice(start, start + MAX_PIECE + 1).lastIndexOf(' ')
    const end = start + (space > 0 ? space : MAX_PIECE)
    pieces.push(text.slice(start, end))
    start = end
  }
  return [...pieces, text.slice(start)]
}
