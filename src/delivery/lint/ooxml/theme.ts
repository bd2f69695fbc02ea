import { type Color, converter, formatHex } from 'culori'
import { below, EMPTY, type XmlNode } from '#formats/xml/trees.ts'
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

export const NO_THEME: Theme = { colors: new Map(), fonts: new Map(), map: new Map() }

/**
 * Reads a theme, or what a part overrides in the theme above it. Returns a copy with the changes, because other parts keep
 * the one above; `map` is copied too, because each part fills it with its own names of colours.
 */
export function readTheme(office: OfficePackage, part: string | undefined, above = NO_THEME): Theme {
  const colors = new Map(above.colors)
  const fonts = new Map(above.fonts)
  const map = new Map(above.map)
  for (const { node } of office.trees(part, 'clrScheme', 'majorFont', 'minorFont')) {
    const key = FONT_KEYS.get(node.name)
    const { typeface } = attributesOf(below([node], 'latin'))
    if (key && typeface) fonts.set(key, typeface)
    // Without a font key, the node is the colour scheme: `<a:dk1><a:srgbClr val="1D70B8"/></a:dk1>` and so on.
    for (const each of key ? [] : node.children) {
      const color = formatHex(literalColor(each.children[0]))
      if (color) colors.set(each.name, color)
    }
  }
  return { colors, fonts, map }
}

/** The attributes of the first of some elements; none if there is no element. */
export function attributesOf([{ attributes } = EMPTY]: readonly XmlNode[]): XmlNode['attributes'] {
  return attributes
}

/** The names that text has for the fonts of a theme. */
const FONT_KEYS: ReadonlyMap<string, string> = new Map([
  ['majorFont', '+mj-lt'],
  ['minorFont', '+mn-lt'],
])

/** A colour and its quotation in findings: `#1D70B8`, or `accent1 (#1D70B8)` for one of the theme. */
export type OfficeColor = Pick<ColorUse, 'color' | 'written' | 'shade'>

/**
 * The colour in an element such as `a:solidFill`; undefined if it is unknown what programs paint. PowerPoint writes "darker
 * 25 %" as the colour with one change, and "lighter 40 %" with two:
 * `<a:schemeClr val="accent1"><a:lumMod val="60000"/><a:lumOff val="40000"/></a:schemeClr>`.
 */
export function colorIn(node: XmlNode, theme: Theme): OfficeColor | undefined {
  const element = node.children.find(({ name }) => name.endsWith('Clr')) ?? EMPTY
  const slideName = element.name === 'schemeClr' ? element.attributes.val : undefined
  const themeName = slideName && (theme.map.get(slideName) ?? slideName)
  const base = themeName ? theme.colors.get(themeName) : literalColor(element)
  let paint: Paint = { color: base, alpha: 1, kept: 1, added: 0 }
  for (const { name: changeName, attributes } of element.children) {
    // In thousandths of a percent, or with a sign in percent (§22.9.2.9): `60000` and `60%` are 0.6.
    const thousandths = Number(attributes.val?.replace('%', 'e3'))
    const value = Math.min(10, thousandths / 100_000)
    const change = CHANGES.get(changeName)
    // Negated, so that it is also true for a value that is not a number.
    if (!change || !(value >= 0)) return undefined
    paint = change(paint, value)
  }
  const { color, alpha, kept, added } = paint
  const shade = shadeOf(base, added > 0 ? 'lighter' : 'darker', added || 1 - kept)
  return officeColor(formatHex(color), alpha, themeName, themeName ? shade : undefined)
}

/**
 * A colour with its changes so far. `kept` is the last factor of its lightness (1 if it has none), and `added` what was last
 * added to it (0 if nothing was).
 */
type Paint = { color: Color | string | undefined; alpha: number; kept: number; added: number }

/** The changes that all programs paint alike. They differ in others, such as `tint` and `shade`. */
const CHANGES: ReadonlyMap<string, (paint: Paint, value: number) => Paint> = new Map([
  ['alpha', (paint, value) => ({ ...paint, alpha: Math.min(1, value) })],
  ['lumMod', (paint, value) => ({ ...withLightness(paint, lightness => lightness * value), kept: value })],
  ['lumOff', (paint, value) => ({ ...withLightness(paint, lightness => lightness + value), added: value })],
])

function withLightness(paint: Paint, change: (lightness: number) => number): Paint {
  const hsl = toHsl(paint.color)
  return { ...paint, color: hsl && { ...hsl, l: Math.min(1, change(hsl.l)) } }
}

/** A tint or shade of a colour of a theme; the share is from 0 to 1. Undefined if nothing changes, or the colour is unknown. */
export function shadeOf(of: string | undefined, change: 'lighter' | 'darker', share: number): ColorUse['shade'] {
  return of !== undefined && share > 0 ? { of, change: `${change} ${Math.round(share * 100)} %` } : undefined
}

const toHsl = converter('hsl')

/** A colour with its quotation; `name` is the name in the theme, if it has one. Undefined if the colour is unknown (`''`). */
export function officeColor(hex = '', alpha = 1, name = '', shade?: ColorUse['shade']): OfficeColor | undefined {
  const digits = hex.toUpperCase()
  if (hex === '') return undefined
  return { color: { hex, alpha }, written: name ? `${name} (${digits})` : digits, ...(shade && { shade }) }
}

/**
 * A colour that is not of the theme (§20.1.2.3), as CSS: `<a:prstClr val="red"/>`, `<a:srgbClr val="1D70B8"/>`, and
 * `<a:sysClr val="windowText" lastClr="000000"/>`. Undefined for those by channels, such as `a:hslClr`.
 */
function literalColor({ name, attributes: { val, lastClr } } = EMPTY): string | undefined {
  return name === 'prstClr' ? val : parseHex(name === 'srgbClr' ? val : lastClr)
}

/** The colour of six hexadecimal digits. */
export function parseHex(digits = ''): string | undefined {
  return /^[\da-f]{6}$/i.test(digits) ? `#${digits.toLowerCase()}` : undefined
}
