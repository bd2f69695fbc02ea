import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'
import type { TypeStyle } from '../type-style.ts'
import { spotNames, swatchNames } from './ink.ts'

/** Styles of which some formats omit or change something, by the ids of both, and the reason. */
export type StyleOmission = {
  formats: readonly string[]
  list: 'colors' | 'types'
  ids: readonly StyleId[]
  reason: string
}

/** The omissions of exports that are about single styles. One with `style` is for colours and for type styles. */
export function styleOmissions(colors: readonly Color[], types: readonly TypeStyle[]): StyleOmission[] {
  const all = OMISSIONS.flatMap(({ formats, reason, style, color = style, type = style }): StyleOmission[] => [
    { formats, list: 'colors', ids: color ? idsOf(colors.filter(color(colors))) : [], reason },
    { formats, list: 'types', ids: type ? idsOf(types.filter(type(types))) : [], reason },
  ])
  return all.filter(({ ids }) => ids.length > 0)
}

function idsOf(styles: readonly { id: StyleId }[]): StyleId[] {
  return styles.map(({ id }) => id)
}

/** Whether a format has the omission for a style of a list. */
type Omits<Style> = (list: readonly Style[]) => (style: Style, at: number) => boolean

type Omission = Pick<StyleOmission, 'formats' | 'reason'> & {
  style?: Omits<{ id: StyleId }>
  color?: Omits<Color>
  type?: Omits<TypeStyle>
}

/** An omission that does not depend on the other styles. */
function perStyle<Style>(omits: (style: Style) => boolean): Omits<Style> {
  return () => omits
}

const TOKENS = ['dtcg', 'dtcg-legacy']

const OMISSIONS: readonly Omission[] = [
  {
    formats: TOKENS,
    reason: 'Style Dictionary parses braces as references, so strings with braces are only encoded, under $extensions',
    style: perStyle(isBraced),
  },
  {
    formats: TOKENS,
    reason: 'Style Dictionary and Terrazzo cannot read a token with this id, so it is called constructor_',
    style: perStyle(({ id }) => id === 'constructor'),
  },
  {
    formats: TOKENS,
    reason: 'Style Dictionary drops the numbers of other scripts, so the token has their code points',
    style: perStyle(style => style.id !== 'constructor' && tokenKey(style) !== style.id),
  },
  {
    formats: TOKENS,
    reason:
      'another id differs only by hyphens before digits or letters without case, so both have one name in Swift, Kotlin and JavaScript',
    style: list => {
      // Of several ids with one name, the first one keeps it.
      const firstIds = new Map(list.map(({ id }) => [camelId(id), id] as const).reverse())
      return ({ id }) => firstIds.get(camelId(id)) !== id
    },
  },
  {
    formats: TOKENS,
    reason: 'Style Dictionary and Terrazzo cannot write a family with these signs, so it is only under $extensions',
    type: perStyle(({ family, fallback = [] }) => !(family ? [family, ...fallback] : fallback).every(isTokenFamily)),
  },
  {
    formats: TOKENS,
    reason: 'design tokens have letter and paragraph spacing in px, so without a size they are only under $extensions',
    type: perStyle(({ size, tracking, spacing }) => size === undefined && Boolean(tracking || spacing)),
  },
  {
    formats: ['dtcg'],
    reason: 'design tokens have no place for its values, so it is only under $extensions of the file',
    type: perStyle(style => !hasTokenValue(style)),
  },
  {
    formats: ['dtcg-legacy'],
    reason: 'design tokens have no place for its values, so it is left out',
    type: perStyle(style => !hasTokenValue(style) && style.casing === 'none'),
  },
  {
    formats: ['tailwind'],
    reason: 'it has no value that a utility could set',
    // All keys except those that no utility sets, with each OpenType feature.
    type: perStyle(({ id: _, name, responsive, sample, casing, features, ...values }) => {
      return casing === 'none' && Object.keys({ ...values, ...features }).length === 0
    }),
  },
  {
    formats: ['ase'],
    reason: 'another swatch has the same name, so the colour id is added to it',
    color: colors => {
      const { screen, print } = swatchNames(colors)
      return ({ name }, at) => screen[at] !== name || print[at] !== `${name} CMYK`
    },
  },
  {
    formats: ['ase'],
    reason:
      'a Pantone reference for textiles, plastics or process printing, such as TCX or CP, is no ink, so no spot has it',
    color: perStyle(color => spotNames(color, 'no ink').length > 0),
  },
  {
    formats: ['gpl'],
    reason: 'a line has at most 100 bytes, so the end of the name is cut',
    color: perStyle(({ name }) => Buffer.byteLength(name) > MAX_PALETTE_NAME),
  },
]

/** In bytes: Pillow fails on lines of more than 100, which also have three numbers, a tab and the line break. */
export const MAX_PALETTE_NAME = 100 - '255 255 255\t\n'.length

/** Whether a value has a string that Style Dictionary could parse as a reference. */
export function isBraced(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isBraced)
  return typeof value === 'string' && /[{}]/.test(value)
}

/** The key of a token. No id has an underscore, so it is unique. */
export function tokenKey({ id }: { id: string }): string {
  const key = id.replace(/(?!\d)\p{N}/gu, sign => `u${sign.codePointAt(0)?.toString(16)}`)
  return id === 'constructor' || key !== id ? `${key}_` : id
}

/** The id as far as names in camel case keep it: `blue-5` and `blue5` are both `blue5`. */
function camelId(id: string): string {
  return id.replace(/-(?!\p{Ll})/gu, '')
}

/** Whether token programs write a family so that CSS and Sass can read it: they quote only names with a space. */
export function isTokenFamily(family: string): boolean {
  return /^(?:[\p{L}\p{M}\p{N}_-]+|(?=.* )[^"\\{}]+)$/u.test(family)
}

function hasTokenValue({ family, size, weight, leading, tracking }: TypeStyle): boolean {
  const isFamily = family !== undefined && isTokenFamily(family)
  return isFamily || tracking === 0 || [size, weight, leading].some(value => value !== undefined)
}
