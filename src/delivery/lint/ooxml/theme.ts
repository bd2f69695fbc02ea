import { type Color, converter, formatHex, type Hsl } from 'culori'
import { child, EMPTY, type XmlNode } from '#formats/xml/trees.ts'
import type { ColorUse } from '../use.ts'
import type { OfficePackage } from './package.ts'

/** The theme of a master or document (ISO 29500-1 §20.1.6). */
export type Theme = {
  /** `#` and six digits, by the names of the theme, such as `dk1`. */
  colors: ReadonlyMap<string, string>
  /** The families of Latin text in headings (`+mj-lt`) and in the rest (`+mn-lt`). */
  fonts: ReadonlyMap<string, string>
  /** The names of slides for theme colours: `tx1` can be `dk1` (§19.3.1.6). */
  map: Map<string, string>
}

/** Reads a theme, or what a part overrides in the one above, which others have as it is, with colour names of their own. */
export function readTheme(office: OfficePackage, part: string | undefined, above?: Theme): Theme {
  const map = new Map(above?.map)
  if (above && part === undefined) return { ...above, map }
  const [colors, fonts] = [new Map(above?.colors), new Map(above?.fonts)]
  for (const { node } of office.trees(part, 'clrScheme', 'majorFont', 'minorFont')) {
    const family = child(node, 'latin')?.attributes.typeface
    if (family) fonts.set(node.name === 'majorFont' ? '+mj-lt' : '+mn-lt', family)
    for (const each of node.name === 'clrScheme' ? node.children : []) {
      const color = formatHex(literalColor(each.children[0]))
      if (color) colors.set(each.name, color)
    }
  }
  return { colors, fonts, map }
}

/** A colour and its quotation in findings: `#1D70B8`, or `accent1 (#1D70B8)` for one of the theme. */
export type OfficeColor = Pick<ColorUse, 'color' | 'written' | 'shade'>

/** The colour in an element such as `a:solidFill`; undefined if it is unknown what programs paint. */
export function colorIn(node: XmlNode | undefined, theme: Theme): OfficeColor | undefined {
  const element = node?.children.find(({ name }) => name.endsWith('Clr'))
  const name = element?.name === 'schemeClr' ? element.attributes.val : undefined
  const themeName = name && (theme.map.get(name) ?? name)
  const base = themeName ? theme.colors.get(themeName) : literalColor(element)
  let color: Color | string | undefined = base
  let [alpha, kept, added] = [1, 1, 0]
  for (const { name: change, attributes } of element?.children ?? []) {
    const value = Math.min(10, Number(attributes.val?.replace('%', 'e3')) / 100_000) // Or percent (§22.9.2.9).
    const [hsl, lighten]: [Hsl | undefined, Lighten | undefined] = [toHsl(color), LIGHTNESS.get(change)]
    if (!(value >= 0)) return undefined
    if (change === 'lumMod') kept = value
    if (change === 'lumOff') added = value
    if (change === 'alpha') alpha = Math.min(1, value)
    else if (lighten) color = hsl && { ...hsl, l: Math.min(1, lighten(hsl.l, value)) }
    else return undefined // Programs differ in some of the others, such as tint and shade.
  }
  const shade = themeName ? shadeOf(base, added > 0 ? 'lighter' : 'darker', added || 1 - kept) : undefined
  return officeColor(formatHex(color), alpha, themeName, shade)
}

type Lighten = (lightness: number, value: number) => number

const LIGHTNESS: ReadonlyMap<string, Lighten> = new Map([
  ['lumMod', (lightness, value) => lightness * value],
  ['lumOff', (lightness, value) => lightness + value],
])

/** A tint or shade of a colour of a theme; the share is from 0 to 1. */
export function shadeOf(of: string | undefined, change: 'lighter' | 'darker', share: number): ColorUse['shade'] {
  return of !== undefined && share > 0 ? { of, change: `${change} ${Math.round(share * 100)} %` } : undefined
}

const toHsl = converter('hsl')

export function officeColor(hex = '', alpha = 1, name = '', shade?: ColorUse['shade']): OfficeColor | undefined {
  const digits = hex.toUpperCase()
  if (hex === '') return undefined
  return { color: { hex, alpha }, written: name ? `${name} (${digits})` : digits, ...(shade && { shade }) }
}

/** A colour that is no theme's (§20.1.2.3), for CSS; those by channels are left out. */
function literalColor({ name, attributes: { val, lastClr } } = EMPTY): string | undefined {
  return name === 'prstClr' ? val : parseHex(name === 'srgbClr' ? val : lastClr)
}

/** The colour of six hexadecimal digits. */
export function parseHex(digits = ''): string | undefined {
  return /^[\da-f]{6}$/i.test(digits) ? `#${digits.toLowerCase()}` : undefined
}
