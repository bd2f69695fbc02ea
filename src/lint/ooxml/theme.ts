import { type Color, converter, formatHex, parse } from 'culori'
import type { Rgba } from '../use.ts'
import type { OfficePackage } from './package.ts'
import { child, type XmlNode } from './xml.ts'

/** The theme of a master or document (ISO 29500-1 §20.1.6). */
export type Theme = {
  /** `#` and six digits, by the names of the theme, such as `dk1`. */
  colors: ReadonlyMap<string, string>
  /** The families of Latin text in headings (`+mj-lt`) and in the rest (`+mn-lt`). */
  fonts: ReadonlyMap<string, string>
  /** Styles that paint a shape's colour as it is, such as `fillStyleLst1`. */
  plainStyles: ReadonlySet<string>
  /** The names of slides for theme colours: `tx1` can be `dk1` (§19.3.1.6). */
  map: ReadonlyMap<string, string>
}

export async function readTheme(office: OfficePackage, part: string | undefined): Promise<Theme> {
  const [colors, fonts, plainStyles] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
  const theme: Theme = { colors, fonts, plainStyles, map: new Map() }
  for await (const { node } of office.trees(part, 'clrScheme', 'majorFont', 'minorFont', 'fmtScheme')) {
    const family = child(node, 'latin')?.attributes.typeface
    if (family) fonts.set(node.name === 'majorFont' ? '+mj-lt' : '+mn-lt', family)
    for (const each of node.name === 'clrScheme' ? node.children : []) {
      const color = colorIn(each, theme)
      if (color) colors.set(each.name, color.color.hex)
    }
    for (const list of node.name === 'fmtScheme' ? node.children : [])
      for (const [index, style] of list.children.entries()) {
        const fill = style.name === 'ln' ? child(style, 'solidFill') : style
        const color = fill?.name === 'solidFill' ? child(fill, 'schemeClr') : undefined
        if (color?.attributes.val === 'phClr' && color.children.length === 0)
          plainStyles.add(`${list.name}${index + 1}`)
      }
  }
  return theme
}

/** A colour and its quotation in findings: `#1D70B8`, or `accent1 (#1D70B8)` for one of the theme. */
export type OfficeColor = { color: Rgba; written: string }

/** The colour in an element such as `a:solidFill`; undefined if it is unknown what programs paint. */
export function colorIn(node: XmlNode | undefined, theme: Theme): OfficeColor | undefined {
  const element = node?.children.find(({ name }) => name.endsWith('Clr'))
  const name = element?.name === 'schemeClr' ? element.attributes.val : undefined
  const themeName = name && (theme.map.get(name) ?? name)
  let color = themeName ? parse(theme.colors.get(themeName) ?? '') : element && literalColor(element)
  let alpha = 1
  for (const { name: change, attributes } of element?.children ?? []) {
    const [value, hsl] = [fraction(attributes.val), toHsl(color)]
    if (change === 'alpha') alpha = value
    else if (change === 'lumMod') color = hsl && { ...hsl, l: clamp(hsl.l * value) }
    else if (change === 'lumOff') color = hsl && { ...hsl, l: clamp(hsl.l + value) }
    else if (change === 'satMod') color = hsl && { ...hsl, s: clamp(hsl.s * value) }
    else return undefined // Programs differ in the others, such as tint and shade.
  }
  return officeColor(formatHex(color), clamp(alpha), themeName)
}

const toHsl = converter('hsl')

export function officeColor(hex: string | undefined, alpha: number, name: string | undefined): OfficeColor | undefined {
  const digits = hex?.toUpperCase() ?? ''
  return hex === undefined ? undefined : { color: { hex, alpha }, written: name ? `${name} (${digits})` : digits }
}

/** A colour that is no theme's (§20.1.2.3). Names are those of CSS, with `dk`, `lt` and `med` for the longer words. */
function literalColor({ name, attributes }: XmlNode): Color | undefined {
  const { val = '', lastClr, r, g, b, hue, sat, lum } = attributes
  if (name === 'srgbClr' || name === 'sysClr') return parseHex(name === 'sysClr' ? lastClr : val)
  if (name === 'scrgbClr') return { mode: 'lrgb', r: fraction(r), g: fraction(g), b: fraction(b) }
  if (name === 'hslClr')
    return { mode: 'hsl', h: (fraction(hue) * 5) / 3, s: clamp(fraction(sat)), l: clamp(fraction(lum)) }
  return parse(val.replace(/^(dk|lt|med)(?=[A-Z])/, start => PRESETS[start] ?? start))
}

const PRESETS: Readonly<Record<string, string>> = { dk: 'dark', lt: 'light', med: 'medium' }

/** The colour of six hexadecimal digits. */
export function parseHex(digits = ''): Color | undefined {
  return /^[\da-f]{6}$/i.test(digits) ? parse(`#${digits}`) : undefined
}

/** Thousandths of a percent, or `50%` in strict files (§22.9.2.9). */
function fraction(value = ''): number {
  const number = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000
  return Number.isFinite(number) ? number : 0
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
