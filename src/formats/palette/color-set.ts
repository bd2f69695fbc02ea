import { listIn } from '#platform/base/object.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '../json/json.ts'

/** A colour of a set as CSS, or its text in a space that is unknown, and what it is for; the usual one is for nothing. */
export type SetColor = { value: string; uses: string[] }

/**
 * The colours in a colour set of Xcode (Asset Catalog Format, "Named Color Type"), the usual one first. Undefined for other
 * data.
 */
export function readColorSet(root: JsonObject): SetColor[] | undefined {
  const entries = listIn(root.get('colors')).filter(isObject)
  if (!root.has('info') || !entries.some(entry => entry.has('idiom'))) return undefined
  const colors = entries.flatMap(entry => {
    const color = entry.get('color')
    return isObject(color) ? [{ value: cssOf(color), uses: usesOf(entry) }] : []
  })
  // A value for light replaces one for any appearance.
  const rank = ({ uses }: SetColor) => (uses.join() === 'light' ? 0 : uses.length + 1)
  return colors.toSorted((one, other) => rank(one) - rank(other))
}

/** `dark`, `high contrast`, `ipad`, `display-P3` */
function usesOf(entry: JsonObject): string[] {
  const appearances = listIn(entry.get('appearances')).map(
    appearance =>
      `${textMember(appearance, 'value')}${member(appearance, 'appearance') === 'contrast' ? ' contrast' : ''}`,
  )
  const others = [...entry]
    .filter(([key]) => key !== 'color' && key !== 'appearances')
    .map(([, value]) => jsonText(value))
  return [...appearances, ...others].filter(use => !USUAL.has(use))
}

/** Uses that the usual colour may have. */
const USUAL: ReadonlySet<string> = new Set(['universal', 'sRGB'])

/** `color(srgb 0.04 0.31 0.42 / 1)` */
function cssOf(color: JsonObject): string {
  const components = member(color, 'components')
  const space = SPACES.get(textMember(color, 'color-space') ?? '')
  if (space === undefined) return textMember(color, 'reference') ?? jsonText(color)
  const component = (key: string, otherwise: Json = '') => jsonText(member(components, key) ?? otherwise)
  const channels = shares(['red', 'green', 'blue'].map(key => component(key, component('white'))))
  return `color(${space} ${channels.join(' ')} / ${shares([component('alpha', 1)]).join()})`
}

/** The spaces of CSS, in which grey has three equal channels. */
const SPACES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    srgb: 'srgb',
    'extended-srgb': 'srgb',
    'extended-linear-srgb': 'srgb-linear',
    'display-p3': 'display-p3',
    'gray-gamma-22': 'srgb',
    'extended-gray': 'srgb',
  }),
)

/** Components from 0 to 1, which are also written as bytes, such as `0xFF` or `255`. */
function shares(components: readonly string[]): number[] {
  const areBytes = components.some(text => /^\d+$/.test(text) && Number(text) > 1)
  const maximum = (text: string) => (areBytes || text.startsWith('0x') ? 255 : 1)
  return components.map(text => Number((Number(text) / maximum(text)).toFixed(6)))
}
