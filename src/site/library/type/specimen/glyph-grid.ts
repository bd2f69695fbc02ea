import { codePoints } from '../../../../fonts/characters.ts'
import { type Html, html } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import type { ShownFamily } from './shown-families.ts'
import { familyClass } from './specimen-classes.ts'

/** The first `max` characters of a family, by script and kind, in groups that open. */
export function glyphGrid(
  { specimen, number: figure, lang }: Words,
  { number, ranges }: ShownFamily,
  max: number,
): Html | undefined {
  const shown = Iterator.from(codePoints(ranges)).take(max)
  const groups = Map.groupBy(shown, groupOf)
  groups.delete('')
  if (groups.size === 0) return undefined
  const kinds = new Map(Object.entries(specimen.kinds))
  const names = new Intl.DisplayNames(lang, { type: 'script' })
  const left = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) - max
  return html`<h4>${specimen.characters}</h4>
${Array.from(
  groups,
  ([
    group,
    codes,
  ]) => html`<details><summary>${kinds.get(group) ?? names.of(group)} <span class="quiet">${figure(codes.length)}</span></summary>
<ul class="glyphs ${familyClass(number)}" translate="no">${codes.map(code => html`<li>${String.fromCodePoint(code)}`)}</ul></details>
`,
)}${left > 0 && html`<p class="quiet">${specimen.notShown(left)}</p>\n`}`
}

/** The script of a letter, or what else a character is; empty for what cannot be seen by itself. */
function groupOf(code: number): string {
  const character = String.fromCodePoint(code)
  if (INVISIBLE.test(character)) return ''
  const kind = BY_KIND.find(([pattern]) => pattern.test(character))
  if (kind) return kind[1]
  const script = SCRIPTS.find(name => SCRIPT_PATTERNS.get(name)?.test(character))
  return script ?? 'symbol'
}

/** White space, marks that stand on other characters, and what only controls them. */
const INVISIBLE = /[\p{Z}\p{M}[\p{C}--\p{Co}]]/v

const BY_KIND: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/\p{N}/u, 'number'],
  [/\p{P}/u, 'punctuation'],
  [/\p{Sc}/u, 'currency'],
  [/\p{Sm}/u, 'math'],
  [/\p{S}/u, 'symbol'],
  [/\p{Co}/u, 'private'],
]

/** Scripts by their codes (ISO 15924). */
const SCRIPTS = [
  'Latn',
  'Grek',
  'Cyrl',
  'Armn',
  'Geor',
  'Hebr',
  'Arab',
  'Syrc',
  'Thaa',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Thai',
  'Laoo',
  'Tibt',
  'Mymr',
  'Khmr',
  'Ethi',
  'Cher',
  'Cans',
  'Mong',
  'Hira',
  'Kana',
  'Bopo',
  'Hang',
  'Hani',
]
const SCRIPT_PATTERNS = new Map(SCRIPTS.map(name => [name, new RegExp(`\\p{Script=${name}}`, 'u')]))
