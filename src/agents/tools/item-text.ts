import { type Color, PRINT_SYSTEMS, printValuesOf } from '../../brand/color.ts'
import { type BrandFile, isExpired, isFont, isPicture } from '../../brand/file.ts'
import { colorWords } from '../../brand/styles/color-words.ts'
import { textColorOn } from '../../brand/styles/contrast.ts'
import type { TypeStyle } from '../../brand/type-style.ts'

/** The rule for print values, which every reply that contains some repeats. */
export const PRINT_NOTE = `Print values (${PRINT_SYSTEMS.join(', ')}) are authored by the brand. Copy them; never compute or convert them. A colour without print values has none.`

/** The units of type styles. */
export const TYPE_NOTE =
  'size is in px, leading a multiple of the size, tracking and spacing in em. A responsive size may become smaller on small screens; one that is not responsive stays the same.'

/** All values of a colour in one line, with the names of the colours that it may be on. */
export function colorText(color: Color, colors: readonly Color[]): string {
  const nameOf = (id: string) => colors.find(each => each.id === id)?.name ?? id
  const { hex, rgb, group, use, on, proportion, tintOf } = color
  const print = printValuesOf(color).map(({ system, value }) => `${system} ${value}`)
  return sentences([
    `Colour: ${joinParts([`hex ${hex}`, `RGB ${rgb}`, ...print])}`,
    use && `Use: ${use}`,
    on && `Allowed on: ${on.map(nameOf).join(', ')}`,
    group && `Group: ${group}`,
    proportion !== undefined && `Share of the surface: ${proportion} %`,
    tintOf && `Tint of: ${nameOf(tintOf)}`,
    print.length > 0 ? PRINT_NOTE : 'It has no print values: do not compute any.',
  ])
}

/** All values of a type style in one line. */
export function typeText(style: TypeStyle): string {
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

/** The description of a file and its permitted uses in one line. */
export function fileText(file: BrandFile, colors: readonly Color[], today = ''): string {
  const ground = file.ground === undefined ? undefined : colors.find(({ id }) => id === file.ground)
  const { contentType, size, path, medium, minWidth, licence, territory, until } = file
  const { width, height, description } = isPicture(file) ? (file.metadata ?? {}) : {}
  const { family, subFamily } = isFont(file) ? (file.metadata ?? {}) : {}
  return sentences([
    description ?? joinParts([family, subFamily]),
    `File: ${joinParts([path, contentType, `${size} bytes`, width && height && `${width} × ${height} px`])}`,
    ground && `For ${groundText(ground)}`,
    medium && `For: ${medium.join(', ')}`,
    minWidth && `Smallest width: ${minWidth} px`,
    licence && `Licence: ${licence}`,
    territory && `Territory: ${territory}`,
    until && (isExpired(file, today) ? `Do not use: the rights ended on ${until}` : `May be used until ${until}`),
  ])
}

/** A background colour, and whether it is dark or light. */
function groundText({ name, hex }: Color): string {
  return `${textColorOn(hex) === 'white' ? 'dark' : 'light'} backgrounds such as ${name}`
}

/** The words by which a colour can be found, including everyday words for it. */
export function colorSearchText(color: Color, colors: readonly Color[]): string {
  return [color.id, color.name, 'colour color', ...colorWords(color.hex), colorText(color, colors)].join(' ')
}

/** The words by which a type style can be found. */
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

type Part = string | number | false | undefined

function joinParts(parts: readonly Part[]): string {
  return parts.filter(Boolean).join('; ')
}

function sentences(parts: readonly Part[]): string {
  return parts
    .filter(part => typeof part === 'string' && part !== '')
    .map(part => `${part}`.replace(/[.\s]*$/, '.'))
    .join(' ')
}
