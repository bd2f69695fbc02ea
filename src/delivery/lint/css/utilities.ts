import type { Variables } from '#formats/css/variables.ts'
import { partOf, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { readColors, roleOf } from './colors.ts'

/** Yields the colours in Tailwind's arbitrary values, such as `hover:bg-[#1d70b8]/50` and `[border-color:tan]`. */
export function* readUtilities(classes: SourceText, scope: Variables): Generator<Use> {
  for (const { 0: match, index, groups = {} } of classes.text.matchAll(ARBITRARY)) {
    const { utility, property = '', value = '' } = groups
    const colored = utility === undefined ? property : (PROPERTIES.get(utility) ?? '')
    const role = roleOf(colored, false)
    const end = index + match.length - 1
    // Tailwind writes `_` for a space, which would end the class. A fix could write one, so there is no `span` for fixes.
    const { text, at } = partOf(classes, end - value.length, end)
    if (role) yield* readColors({ text: text.replaceAll('_', ' '), at }, role, scope)
  }
}

/** The text before a bracket begins with a utility; text before a colon in it is a property, or the type of the value. */
const ARBITRARY =
  /(?<![\w-])(?:(?<utility>[a-z]+)(?:-[a-z]+){0,3}-)?\[(?:(?<property>[a-z-]{1,40}):)?(?<value>[^\]\s]{1,200})\]/g

/** The first word of a utility, and a property whose colours have the same role. */
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ...['bg', 'from', 'via', 'to', 'fill', 'accent'].map(name => [name, 'background'] as const),
  ...['text', 'decoration', 'caret', 'placeholder'].map(name => [name, 'color'] as const),
  ...['border', 'divide', 'outline', 'ring', 'stroke'].map(name => [name, 'border'] as const),
  ...['shadow', 'drop'].map(name => [name, 'box-shadow'] as const),
])
