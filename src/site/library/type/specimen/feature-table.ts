import { cssString } from '../../../../export/css/css-text.ts'
import type { Feature } from '../../../../fonts/features.ts'
import { type Html, html, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import type { ShownFamily } from './shown-families.ts'
import { familyClass, featureClass } from './specimen-classes.ts'

/** The features of a family, with sample letters for each one off and on. Undefined if it has none to show. */
export function featureTable({ specimen }: Words, { number, facts }: ShownFamily): Html | undefined {
  const features = shownFeatures(facts?.features)
  if (features.length === 0) return undefined
  const cell = (feature: Feature, isOn: boolean) =>
    html`<td class="${familyClass(number)} ${featureClass(feature.tag, isOn)}">${feature.sample}</td>`
  const rows = features.map(
    feature =>
      html`<tr><th scope="row">${nameOf(specimen, feature)} <code>${feature.tag}</code></th>${cell(feature, false)}${cell(feature, true)}</tr>\n`,
  )
  return html`<h4>${specimen.features}</h4>
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
function nameOf({ stylisticSet, characterVariant, featureNames }: Words['specimen'], { tag, name }: Feature): Word {
  if (name !== undefined) return name
  const [, kind = '', number = ''] = /^(ss|cv)(\d\d)$/.exec(tag) ?? []
  if (kind !== '')
    return kind === 'ss'
      ? stylisticSet({ set: `${Number(number)}` })
      : characterVariant({ variant: `${Number(number)}` })
  return new Map(Object.entries(featureNames)).get(tag) ?? ''
}
