import type { Element } from 'hast'
import type { BrandFile } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { Embedding, FontFacts } from '#formats/font/font-facts.ts'
import { isRightToLeft } from '#platform/base/text.ts'
import { typeAnchor } from '#serving/addresses.ts'
import { element } from '../../../cards/element.ts'
import { type Guide, pathBelow } from '../../../guide/guide.ts'
import { type Html, html, joinWords, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import { fontSample } from '../font-sample.ts'
import { type CharacterNames, featureTable, glyphGrid } from './glyph-grid.ts'
import { familyClass, type ShownFamily } from './shown-families.ts'
import { axisInstances, axisSliders, SIZE, slider, weightList } from './weight-list.ts'

/** The characters that all families of a page show, divided equally among them. */
export const MAX_CHARACTERS = 5000

type FamilyDetails = {
  heading?: Html
  /** Comes after the alphabet. */
  more?: Html | false
  /** The level of its headings: 2 gives `h2`. */
  level: number
  /** The number of characters in its grid. */
  max: number
  /** The type styles of the page, which may use it. */
  styles: readonly TypeStyle[]
  characters: CharacterNames
  lang: string | undefined
}

/** A font family on a page: an editable line, its fonts, features, characters, rights and files. */
export function specimen(
  guide: Guide,
  family: ShownFamily,
  { heading, more, level, max, styles, characters, lang }: FamilyDetails,
): Html {
  const { number, facts, ranges } = family
  const { site, publication, words } = guide
  const addressOf = (file: BrandFile) => site.paths.file(publication.record, file)
  const lines = fontSample(ranges, lang).lines.map(line => html`<span>${line}</span> `)
  return html`<section class="specimen">${heading}
${editableLine(words, family, styles)}
${weightList(words, family, addressOf)}${axisInstances(words, family)}<p class="letters ${familyClass(number)}" translate="no">${lines}</p>
${more}${featureTable(words, family, level)}${glyphGrid(words, family, { max, characters, lang, level })}${facts && rightsSection(words, facts, level)}${download(guide, family)}</section>
`
}

/** A line in which readers write, with sliders. It begins with the brand's own sample in this family, or with its name. */
function editableLine(words: Words, family: ShownFamily, styles: readonly TypeStyle[]): Html {
  const { name, number } = family
  const { type, specimen } = words
  const id = `try-${number}`
  const samples = styles.filter(({ family }) => family === name).map(({ sample }) => sample)
  const text = samples.find(sample => sample !== undefined) ?? name
  const leading = isRightToLeft(words.lang) ? 1.5 : 1.2
  const sizeSlider = slider(id, html`data-sets="fontSize" data-unit="px"`, type.size, [12, 160, 1, SIZE])
  const leadingSlider = slider(id, html`data-sets="lineHeight"`, type.leading, [0.8, 2, 0.05, leading])
  return html`<div class="try"><p class="${familyClass(number)}" id="${id}" dir="auto" contenteditable="plaintext-only" role="textbox" aria-label="${specimen.write({ family: name })}" spellcheck="false" translate="no">${text}</p>
<p class="rail">${sizeSlider}${leadingSlider}${axisSliders(words, family, id)}</p></div>`
}

/**
 * The name of a family, across the whole width or next to letters of the guide's language; in its first type style if
 * the guide has none of its fonts.
 */
export function familyName(
  name: string,
  { family, styles, lang }: { family: ShownFamily | undefined } & Pick<FamilyDetails, 'styles' | 'lang'>,
): Element {
  const inStyle = styles.filter(style => style.family === name).map(({ id }) => typeAnchor(id))
  if (!family) return element('span', { className: inStyle.slice(0, 1), translate: 'no' }, name)
  const { number, ranges } = family
  const { short } = fontSample(ranges, lang)
  const ofFamily = familyClass(number)
  if (/[a-z]/i.test(short)) return element('span', { className: [ofFamily, `name-${number}`], translate: 'no' }, name)
  return element('span', { className: [ofFamily], translate: 'no' }, [short, ' ', element('small', {}, name)])
}

/** The size at which the name of a family is as wide as its container. */
export function nameRule({ number, facts }: ShownFamily): string {
  const { nameWidth, axes = [] } = facts ?? {}
  if (nameWidth === undefined) return ''
  const size = axes.find(({ tag }) => tag === 'opsz')
  const settings = size ? `;font-variation-settings:"opsz" ${size.max}` : ''
  return `.names .name-${number}{font-size:min(${Math.floor(FITTED / nameWidth) / 100}cqi,70vh);white-space:nowrap${settings}}\n`
}

/** In hundredths of a percent, for rounded widths. */
const FITTED = 9980

/** The files of the family on the page, as an archive. */
function download(guide: Guide, { cuts }: ShownFamily): Html | undefined {
  const files = cuts.flatMap(({ faces }) => faces.map(({ file }) => file))
  if (files.length < 2 || files.length > MAX_FILES) return undefined
  const query = new URLSearchParams(files.map(({ path }): [string, string] => ['path', path]))
  return html`<p><a class="button" href="${pathBelow(guide, 'files.zip')}?${query.toString()}" download>${guide.words.specimen.download({ count: files.length })}</a></p>\n`
}

/** Limits the length of the address and the number of files in the archive. */
const MAX_FILES = 50

function rightsSection(words: Words, facts: FontFacts, level: number): Html | undefined {
  const rows = fontRights(words, facts).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)
  return rows.length === 0 ? undefined : html`<h${level}>${words.specimen.license}</h${level}>\n<dl>${rows}</dl>\n`
}

/** The licence, embedding rights and copyright in a font's metadata, as far as it has them, with their labels. */
export function fontRights(
  { specimen }: Words,
  { license, licenseUrl, copyright, embedding }: FontFacts,
): (readonly [label: Word, text: Html | Word])[] {
  const address =
    licenseUrl !== undefined && WEB.test(licenseUrl) ? html`<a href="${licenseUrl}">${licenseUrl}</a>` : licenseUrl
  const texts = [
    [specimen.license, license !== undefined || address !== undefined ? html`${license} ${address}` : undefined],
    [specimen.embedding, embedding && embeddingText(specimen, embedding)],
    [specimen.copyright, copyright],
  ] as const
  return texts.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as const]))
}

const WEB = /^https?:\/\/[^\s]+$/

/** OS/2 fsType in OpenType as a sentence. */
function embeddingText(words: Words['specimen'], { rights, maySubset, onlyBitmaps }: Embedding): Word {
  const limits = [maySubset ? '' : words.noSubsets, onlyBitmaps ? words.bitmapsAlone : '']
  return joinWords([words.rights[rights], ...limits], ' ')
}
