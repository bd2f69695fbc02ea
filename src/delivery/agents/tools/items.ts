import { type Color, PRINT_SYSTEMS, printValuesOf } from '#brand/color.ts'
import {
  type BrandFile,
  filename,
  fontMetadata,
  isExpired,
  isFont,
  isPicture,
  pictureMetadata,
  usesOf,
} from '#brand/file.ts'
import { colorWords } from '#brand/styles/color-words.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import { type JudgedGround, judgedGrounds, type Verdict } from '#brand/styles/ground-verdicts.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { fontName } from '#formats/font/font-weight.ts'
import { perObject } from '#platform/base/object.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Target } from '../../search/search-index.ts'
import { contentId, type Kind } from './content-id.ts'
import type { Reader } from './tool.ts'

/** A colour, type style or file as a search result; `page` is a page that shows it, or empty. */
export type Item = { kind: Kind; id: string; title: string; url: string; text: string; page: string }

export type ItemTarget = Exclude<Target, { kind: 'page' }>

/** The search result for a colour, type style or file. */
export async function itemOf(reader: Reader, publication: Publication, target: ItemTarget): Promise<Item> {
  const { addresses } = reader
  const { record, content } = publication
  const { kind } = target
  const pages = await pagesShowing(content)
  if (kind === 'file') {
    const { path, title = filename(path) } = target.of
    const id = contentId(kind, record.project, path)
    const weights = isFont(target.of) ? await reader.weights(publication, target.of) : undefined
    const text = fileText(target.of, await content.colors(), { today: content.today(), weights })
    return { kind, id, title, url: addresses.file(record, target.of), text, page: pages.get(path) ?? '' }
  }
  const list = kind === 'color' ? 'colors' : 'types'
  const { id, name } = target.of
  return {
    kind,
    id: contentId(kind, record.project, id),
    title: name,
    url: addresses.style(record, { list, id }),
    text: kind === 'color' ? colorText(target.of, await content.colors()) : typeText(target.of),
    page: pages.get(`${list} ${id}`) ?? '',
  }
}

/** The first page that shows or links to each file, by path, and each style, by list and id. Computed once for content. */
const pagesShowing = perObject(async (content: Publication['content']): Promise<ReadonlyMap<string, string>> => {
  const pages = new Map<string, string>()
  for (const { id: page, links } of (await content.pages()).values())
    for (const { to } of links) {
      const key = to.file ?? (to.list !== undefined && to.id !== undefined ? `${to.list} ${to.id}` : undefined)
      if (key !== undefined && !pages.has(key)) pages.set(key, page)
    }
  content.grow(pages.size * ENTRY_BYTES)
  return pages
})

const ENTRY_BYTES = 100

/** The rule for print values, which every reply that contains some repeats. */
export const PRINT_NOTE = `Print values (${PRINT_SYSTEMS.join(', ')}) are authored by the brand. Copy them; never compute or convert them. A colour without print values has none.`

export const TYPE_NOTE =
  'size is in px, leading a multiple of the size, tracking and spacing in em. A responsive size may become smaller on small screens; one that is not responsive stays the same.'

/** All values of a colour in one line, with the names of the colours that it may be on. */
function colorText(color: Color, colors: readonly Color[]): string {
  const nameOf = (id: string) => colors.find(each => each.id === id)?.name ?? id
  const { hex, rgb, group, use, on, proportion, tintOf, dark } = color
  const print = printValuesOf(color).map(({ system, value }) => `${system} ${value}`)
  return sentences([
    `Colour: ${joinParts([`hex ${hex}`, `RGB ${rgb}`, ...print])}`,
    dark && `On dark backgrounds: hex ${dark}, RGB ${onDark(color).rgb}`,
    use && `Use: ${use}`,
    on && `Allowed on: ${on.map(nameOf).join(', ')}`,
    group && `Group: ${group}`,
    proportion !== undefined && `Share of the surface: ${proportion} %`,
    tintOf && `Tint of: ${nameOf(tintOf)}`,
    print.length > 0 ? PRINT_NOTE : 'It has no print values: do not compute any.',
  ])
}

function typeText(style: TypeStyle): string {
  const { family, weight, style: fontStyle, size, leading, tracking, spacing, casing, responsive, fallback } = style
  return sentences([
    `Type style: ${joinParts([
      family,
      weight && `weight ${weight}`,
      fontStyle,
      size && `size ${size} px`,
      leading && `line height ${leading}`,
      tracking !== undefined && `letter spacing ${tracking} em`,
      spacing !== undefined && `space after a paragraph ${spacing} em`,
      casing !== 'none' && `casing ${casing}`,
    ])}`,
    responsive ? 'Responsive: it may become smaller on small screens' : 'Not responsive: the same size on all screens',
    fallback && `Fallback: ${fallback.join(', ')}`,
    settings('OpenType features', style.features),
    settings('Axes', style.axes),
    style.sample && `Sample: ${style.sample}`,
  ])
}

/** The verdict on a picture, such as a logo, on each of the colours, if the reader may see these; empty for other files. */
export async function groundsText(reader: Reader, publication: Publication, file: BrandFile): Promise<string> {
  const { content } = publication
  if (!isPicture(file) || isExpired(file, content.today()) || !reader.scopes.has('styles.read')) return ''
  const paints = (await reader.paints(publication, file)) ?? []
  if (paints.length === 0) return ''
  const { groupWith } = await libraryOf(content)
  const group = groupWith.get(file.path) ?? []
  // The ground that the file names, or another format of the same picture.
  const namedGround = [file, ...group].find(({ ground }) => ground !== undefined)?.ground
  const judged = judgedGrounds(await content.colors(), paints, namedGround)
  // Rounded down, so that no ratio seems to reach a limit that it misses.
  const ratioText = (ratio: number) => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`
  const verdicts = (grounds: readonly JudgedGround[]) =>
    joinParts(
      grounds
        .slice(0, MAX_GROUNDS)
        .map(({ name, ratio, verdict }) => `${name.slice(0, MAX_NAME)}, ${VERDICTS[verdict]}, ${ratioText(ratio)}`),
    )
  const [ofBrand, plain] = [judged.filter(({ plain }) => !plain), judged.filter(({ plain }) => plain)]
  return ` ${sentences([
    ofBrand.length > 0 && `On the colours of the brand: ${verdicts(ofBrand)}`,
    plain.length > 0 && `On other backgrounds: ${verdicts(plain)}`,
  ])}`
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  own: 'its background',
  legible: 'legible',
  filled: 'brings its own background',
  unknown: 'its contrast is not known',
  illegible: 'do not use',
}

/** Limits on the size of a reply: colours, and characters of their names. */
const MAX_GROUNDS = 100
const MAX_NAME = 100

/** The day of a text about a file, and the weights of a variable font. */
type FileFacts = { today?: string; weights?: readonly [min: number, max: number] | undefined }

/** The description of a file and its permitted uses in one line. */
function fileText(file: BrandFile, colors: readonly Color[], { today = '', weights }: FileFacts = {}): string {
  const { contentType, size, path } = file
  const { ground: groundId, medium, minWidth, clearSpace, clearSpaceOf, until, ...otherUses } = usesOf(file)
  const ground = groundId === undefined ? undefined : colors.find(({ id }) => id === groundId)
  const { width, height, description } = pictureMetadata(file)
  return sentences([
    description ?? (isFont(file) ? fontText(fontMetadata(file), weights) : ''),
    `File: ${joinParts([path, contentType, `${size} bytes`, width && height && `${width} × ${height} px`])}`,
    ground && `For ${textColorOn(ground.hex) === 'white' ? 'dark' : 'light'} backgrounds such as ${ground.name}`,
    medium && `For: ${medium.join(', ')}`,
    minWidth && `Smallest width: ${minWidth} px`,
    clearSpace && `Clear space on all sides: ${clearSpace} of its height`,
    clearSpaceOf && `Clear space: ${clearSpaceOf}`,
    ...Object.entries(otherUses).map(([key, value]) => `${key.replace(/^./, start => start.toUpperCase())}: ${value}`),
    until && (isExpired(file, today) ? `Do not use: the rights ended on ${until}` : `May be used until ${until}`),
  ])
}

/** `Inter Bold Italic`, for a variable font `Inter Italic; Variable, 100–900` as on the website. */
function fontText(metadata: FontMetadata, weights: FileFacts['weights']): string {
  return joinParts([fontName(metadata, weights !== undefined), weights && `Variable, ${weights.join('–')}`])
}

/** The words by which a colour can be found, including everyday words for it. */
export function colorSearchText(color: Color, colors: readonly Color[]): string {
  return [color.id, color.name, 'colour color', ...colorWords(color.hex), colorText(color, colors)].join(' ')
}

export function typeSearchText(style: TypeStyle): string {
  return `${style.id} ${style.name} font ${typeText(style)}`
}

/** The words by which a file can be found. A variant has no title and description, so those of its original count. */
export function fileSearchText(
  file: BrandFile,
  colors: readonly Color[],
  files?: ReadonlyMap<string, BrandFile>,
): string {
  const original = file.variantOf === undefined ? undefined : files?.get(file.variantOf)
  const about = original ? [file, original] : [file]
  return about.map(each => `${each.title ?? ''} ${fileText(each, colors)}`).join(' ')
}

function settings(name: string, values: Readonly<Record<string, number>> = {}): string | undefined {
  const set = Object.entries(values).map(([tag, value]) => `${tag} ${value}`)
  return set.length > 0 ? `${name}: ${set.join(', ')}` : undefined
}

/** A part of a text; all except strings and numbers stand for a value that is absent. */
type Part = string | number | false | undefined

function joinParts(parts: readonly Part[]): string {
  return parts.filter(Boolean).join('; ')
}

/** Sentences with one full stop each, also if the authored text ends in one or more. */
function sentences(parts: readonly Part[]): string {
  return parts
    .filter(part => typeof part === 'string' && part !== '')
    .map(part => `${part}`.replace(/(?<![.\s])[.\s]*$/, '.'))
    .join(' ')
}
