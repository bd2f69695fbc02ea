import { cssString } from '#delivery/export/style-sheets/css-text.ts'
import { hexOf } from '#formats/font/character-names.ts'
import { codePoints } from '#formats/font/characters.ts'
import type { Feature } from '#formats/font/features.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Html, html, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import { scriptOf } from '../font-sample.ts'
import { familyClass, featureClass, type ShownFamily } from './shown-families.ts'

/** The names of characters by code point (`characterNames`). */
export type CharacterNames = ReadonlyMap<string, string>

/** `level` is that of the heading. */
type GridOptions = { max: number; characters: CharacterNames; lang: string | undefined; level: number }

/** The first `max` characters of a family by script and kind, beginning with the script of the guide's language. */
export function glyphGrid(
  { specimen, number: formatNumber, lang }: Words,
  { number, ranges }: ShownFamily,
  { max, characters, lang: guideLang = 'en', level }: GridOptions,
): Html | undefined {
  const groups = groupByKind(Iterator.from(codePoints(ranges)).take(max))
  if (groups.size === 0) return undefined
  const kindNames = new Map(Object.entries(specimen.kinds))
  const scriptNames = new Intl.DisplayNames(lang, { type: 'script' })
  const leftOut = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) - max
  const guideScript = scriptOf(guideLang)
  // The script of the guide, other scripts, then kinds such as numbers.
  const rank = (group: string) => (group === guideScript ? 0 : kindNames.has(group) ? 2 : 1)
  const orderedGroups = [...groups].sort(([a], [b]) => rank(a) - rank(b))
  const lists = orderedGroups.map(([group, codes], at) => {
    const name = kindNames.get(group) ?? scriptNames.of(group)
    const summary = html`${name} <span class="quiet">${formatNumber(codes.length)}</span>`
    return html`<details${at === 0 && html` open`}><summary>${summary}</summary>
<ul class="glyphs ${familyClass(number)}" translate="no" lang="en">${codes.map(code => glyph(code, characters))}</ul></details>
`
  })
  return html`<h${level}>${specimen.characters}</h${level}>
${lists}${leftOut > 0 && html`<p class="quiet">${specimen.notShown({ count: leftOut })}</p>\n`}`
}

function glyph(code: number, names: CharacterNames): Html {
  const hex = hexOf(code)
  return html`<li><details><summary>${String.fromCodePoint(code)}</summary>U+${hex} ${names.get(hex)}</details>`
}

/** Groups characters by script or kind, except characters that are invisible by themselves. */
function groupByKind(codes: Iterable<number>): Map<string, number[]> {
  let script: (typeof SCRIPTS)[number] | undefined
  const visible = Iterator.from(codes).filter(code => !INVISIBLE.test(String.fromCodePoint(code)))
  return Map.groupBy(visible, code => {
    const character = String.fromCodePoint(code)
    const isLetter = IN_SCRIPT.test(character)
    // Neighbours usually share a script, so this check saves time for thousands of characters.
    if (isLetter && !script?.pattern.test(character)) script = SCRIPTS.find(({ pattern }) => pattern.test(character))
    const group = isLetter ? script?.name : BY_KIND.find(([pattern]) => pattern.test(character))?.[1]
    return group ?? 'symbol'
  })
}

/** White space, combining marks and control characters. */
const INVISIBLE = /[\p{Z}\p{M}[\p{C}--\p{Co}]]/v

const BY_KIND: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/\p{N}/u, 'number'],
  [/\p{P}/u, 'punctuation'],
  [/\p{Sc}/u, 'currency'],
  [/\p{Sm}/u, 'math'],
  [/\p{S}/u, 'symbol'],
  [/\p{Co}/u, 'private'],
]

/** Script codes (ISO 15924). */
const CODES = `
  Latn Grek Cyrl Armn Geor Hebr Arab Syrc Thaa Deva Beng Guru Gujr Orya Taml Telu Knda Mlym
  Sinh Thai Laoo Tibt Mymr Khmr Ethi Cher Cans Mong Hira Kana Bopo Hang Hani`
  .trim()
  .split(/\s+/)
const SCRIPTS = CODES.map(name => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }))
/** Numbers and punctuation are grouped separately from letters, together for all scripts. */
const IN_SCRIPT = new RegExp(
  `[[${CODES.map(name => `\\p{Script=${name}}`).join('')}]--[\\p{N}\\p{P}\\p{S}\\p{Co}]]`,
  'v',
)

/** The features of a family, with sample letters for each one off and on. Undefined if it has none to show. */
export function featureTable({ specimen }: Words, { number, facts }: ShownFamily, level: number): Html | undefined {
  const features = shownFeatures(facts?.features)
  if (features.length === 0) return undefined
  const cell = (feature: Feature, isOn: boolean) =>
    html`<td class="${familyClass(number)} ${featureClass(feature.tag, isOn)}">${feature.sample}</td>`
  const rows = features.map(
    feature =>
      html`<tr><th scope="row">${featureName(specimen, feature)} <code>${feature.tag}</code></th>${cell(feature, false)}${cell(feature, true)}</tr>\n`,
  )
  return html`<h${level}>${specimen.features}</h${level}>
<table class="features"><thead><tr><th scope="col">${specimen.feature}</th><th scope="col">${specimen.off}</th><th scope="col">${specimen.on}</th></tr></thead>
<tbody translate="no">
${rows}</tbody></table>
`
}

/** The features with a visible effect, up to a limit. */
export function shownFeatures(features: readonly Feature[] = []): Feature[] {
  return features.filter(({ sample }) => sample !== undefined).slice(0, MAX_FEATURES)
}

const MAX_FEATURES = 40

/** The rules for a feature on and off (OpenType: some are on by default). */
export function featureRules(tag: string): string {
  const rule = (isOn: boolean, value: string) => `.${featureClass(tag, isOn)}{font-feature-settings:${value}}\n`
  return rule(false, `${cssString(tag)} 0`) + rule(true, `${cssString(tag)} 1`)
}

/** The name of a feature, from its font or otherwise from its tag. */
function featureName(
  { stylisticSet, characterVariant, featureNames }: Words['specimen'],
  { tag, name }: Feature,
): Word {
  if (name !== undefined) return name
  const [, kind = '', number = ''] = groupsOf(/^(ss|cv)(\d\d)$/, tag)
  if (kind !== '')
    return kind === 'ss'
      ? stylisticSet({ set: `${Number(number)}` })
      : characterVariant({ variant: `${Number(number)}` })
  return new Map(Object.entries(featureNames)).get(tag) ?? ''
}
