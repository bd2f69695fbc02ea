import { cssString } from '../../../../export/css/css-text.ts'
import type { Feature } from '../../../../fonts/features.ts'
import { type Html, html, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import type { ShownFamily } from './shown-families.ts'
import { familyClass, featureClass } from './specimen-classes.ts'

/** The features of a family, with sample letters for each one off and on. Undefined if it has none to show. */
export function featureTable({ specimen }: Words, { number, facts }: ShownFamily): Html | undefined {
  const features = shownFeatures(facts?.features ?? [])
  if (features.length === 0) return undefined
  const cell = (feature: Feature, isOn: boolean) =>
    html`<td class="${familyClass(number)} ${featureClass(feature.tag, isOn)}">${sampleOf(feature)}</td>`
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
export function shownFeatures(features: readonly Feature[]): Feature[] {
  return features.filter(feature => sampleOf(feature) !== '' && !HIDDEN.test(feature.tag)).slice(0, MAX_FEATURES)
}

const MAX_FEATURES = 40

/** Features that scripts always apply, parts of other features, and all alternates at once. */
const HIDDEN =
  /^(?:aalt|ccmp|locl|mark|mkmk|rlig|rclt|rvrn|init|medi|med2|fina|fin[23]|isol|calt|dnom|numr|vert|vrt2|v[a-z]al|h[a-z]al|[hv]kna|ljmo|vjmo|tjmo|akhn|abv[ms]|bl[w]?[mfs]\w?|cjct|half|haln|nukt|pref|pres|pstf|psts|rkrf|rphf|vatu|cfar|ltr[am]|rtl[am]|stch)$/

/** The rules for a feature on and off (OpenType: some are on by default). */
export function featureRules(tag: string): string {
  const rule = (isOn: boolean, value: string) => `.${featureClass(tag, isOn)}{font-feature-settings:${value}}\n`
  return rule(false, `${cssString(tag)} 0`) + rule(true, `${cssString(tag)} 1`)
}

function sampleOf({ tag, changes }: Feature): string {
  return SAMPLES[tag] ?? changes.join(' ')
}

/** The best samples of features; other features show the single letters that they change. */
const SAMPLES: Readonly<Record<string, string>> = {
  c2sc: 'ABCDEFG',
  case: '(H) [H] ¿H? H-H',
  frac: '1/2 3/4 27/180',
  lnum: '0123456789',
  onum: '0123456789',
  ordn: '1a 2o',
  pnum: '1 117 011',
  sinf: 'H2O CO2',
  smcp: 'abcdefg',
  subs: 'H2O CO2',
  sups: 'x2 y3',
  tnum: '1 117 011',
}

/** The name of a feature, from its font or otherwise from its tag. */
function nameOf({ stylisticSet, characterVariant, featureNames }: Words['specimen'], { tag, name }: Feature): Word {
  if (name !== undefined) return name
  const [, kind = '', number = ''] = /^(ss|cv)(\d\d)$/.exec(tag) ?? []
  if (kind !== '') return kind === 'ss' ? stylisticSet(Number(number)) : characterVariant(Number(number))
  return new Map(Object.entries(featureNames)).get(tag) ?? ''
}
