import { colorsNamed } from 'culori/fn'
import type { Color } from '#brand/color.ts'
import type { StyleId } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { ok } from '#platform/base/result.ts'
import { wordTable } from '#platform/base/text.ts'
import { contentWithLinks, targetAddress } from '#serving/addresses.ts'
import { describeOmission, type ExportSource, headLines, type MakeExport } from '../format.ts'
import { cssString, tagSettings } from '../style-sheets/css-text.ts'
import { brandOf, documentFile } from './agent-document.ts'
import { inlinePage } from './inline-page.ts'
import { colorLine, markdownText, typeLine, yamlComment, yamlText } from './markdown-text.ts'

/** `DESIGN.md`, the alpha format of github.com/google-labs-code/design.md: values, then the pages in fixed sections. */
export const designMd: MakeExport = async source => {
  const [brand, { theme }, pages] = await Promise.all([
    brandOf(source),
    source.publication.content.appearance(),
    inlinedPages(source),
  ])
  const { name, about, colors, types } = brand
  const leftOut = [...describeMissingPrimary(colors, theme?.accent), ...pages.leftOut]
  const frontMatter = [
    yamlComment(headLines(source, leftOut)),
    `version: alpha\nname: ${yamlText(name)}\n`,
    ...(about === undefined ? [] : [`description: ${yamlText(about)}\n`]),
    `omitted: [${omittedSections(colors, types).join(', ')}]\n`,
    ...mapping('colors', colors, ({ id, hex }) => `  ${yamlText(id)}: "${hex}"\n`, primary(colors, theme?.accent)),
    ...mapping('typography', types, typeToken),
  ]
  const lists = new Map<Title, readonly string[]>([
    ['Colors', colors.map(colorLine)],
    ['Typography', types.map(typeLine)],
  ])
  const sections = TITLES.map(title => ({ title, lines: lists.get(title) ?? [], below: pages.of(title) }))
  return ok({ files: [documentFile('DESIGN.md', { frontMatter, title: name, sections })], leftOut })
}

/** The kinds of values that the format knows and the file lacks. A guide never has the last three. */
function omittedSections(colors: readonly Color[], types: readonly TypeStyle[]): string[] {
  return [
    ...(colors.length === 0 ? ['colors'] : []),
    ...(types.length === 0 ? ['typography'] : []),
    'rounded',
    'spacing',
    'components',
  ]
}

/** A mapping of YAML with a token for each style, below lines that come first; nothing without styles. */
function mapping<Style>(key: string, styles: readonly Style[], token: (style: Style) => string, first = ''): string[] {
  return styles.length === 0 ? [] : [`${key}:\n`, first, ...styles.map(token)]
}

/** The theme's accent under the name that readers expect, unless the brand already has a colour with that name. */
function primary(colors: readonly Color[], accent: StyleId | undefined): string {
  const color = colors.find(({ id }) => id === accent)
  if (!color || hasPrimary(colors)) return ''
  return `  primary: "${REFERENCE.test(color.id) ? `{colors.${color.id}}` : color.hex}"\n`
}

/** The ids that a reference can name: it does not find ids beyond ASCII. */
const REFERENCE = /^[a-zA-Z0-9_-]+$/

function hasPrimary(colors: readonly Color[]): boolean {
  return colors.some(({ id }) => id.toString() === 'primary')
}

function describeMissingPrimary(colors: readonly Color[], accent: StyleId | undefined): string[] {
  if (colors.length === 0 || hasPrimary(colors) || colors.some(({ id }) => id === accent)) return []
  return ['colors.primary: no colour is named primary; set the theme accent in project.yaml to the main colour']
}

/** A type style as YAML, with only the values that it has. */
function typeToken({ id, family, size, weight, leading, tracking, features, axes }: TypeStyle): string {
  const feature = tagSettings(features)
  const variation = tagSettings(axes)
  const fields = [
    ['fontFamily', family === undefined ? undefined : yamlText(familyText(family))],
    ['fontSize', size === undefined ? undefined : `${decimal(size)}px`],
    ['fontWeight', weight],
    ['lineHeight', leading],
    ['letterSpacing', tracking === undefined ? undefined : `${decimal(tracking)}em`],
    ['fontFeature', feature && yamlText(feature)],
    ['fontVariation', variation && yamlText(variation)],
  ] as const
  const given = fields.filter(([, value]) => value !== undefined).map(([name, value]) => `    ${name}: ${value}\n`)
  return `  ${yamlText(id)}:${given.length === 0 ? ' {}\n' : `\n${given.join('')}`}`
}

/** A family name, quoted as in CSS if it could be read as a colour. */
function familyText(family: string): string {
  const word = family.trim().toLowerCase()
  const isColor = Object.hasOwn(colorsNamed, word) || word === 'transparent' || word === 'currentcolor'
  return isColor || /^\s*#|\(/.test(family) ? cssString(family) : family
}

/** A number without an exponent, which dimension parsers reject. */
function decimal(value: number): string {
  const text = String(value)
  // The zeros at the end go, with the dot if only zeros follow it: 0.0000005000 becomes 0.0000005.
  return text.includes('e') ? value.toFixed(10).replace(/(?:\.|(?<![.0]))0+$/, '') : text
}

/** The sections, in the order of the format. */
const TITLES = [
  'Overview',
  'Colors',
  'Typography',
  'Layout',
  'Elevation & Depth',
  'Shapes',
  'Components',
  "Do's and Don'ts",
] as const
type Title = (typeof TITLES)[number]

/** The pages below each section, and sentences about pages without one. */
type Pages = { of: (title: Title) => readonly string[]; leftOut: string[] }

/** Puts the pages into sections in order, until their text is too long. The id of a page decides its section. */
async function inlinedPages(source: ExportSource): Promise<Pages> {
  const pages = [...(await source.publication.content.pages()).values()]
  const firstTexts = await readTexts(source, pages)
  const inlined = firstTexts.map(({ page, text }) => ({ page, ...inlinePage(text, LEVELS) }))
  const idsWith = (problem: string) => inlined.filter(each => each.problem === problem).map(({ page }) => page.id)
  const beyondLimit = pages.slice(firstTexts.length).map(({ id }) => id)
  const leftOut = [
    ...describeOmission('page', beyondLimit, `the file contains only the first ${MAX_TEXT >> 10} KiB of the pages`),
    ...describeOmission('page', idsWith('open'), 'it has an unclosed code block, HTML block or comment'),
    ...describeOmission('page', idsWith('nested'), 'its lists or quotes are nested too deeply'),
  ]
  const ofSections = Map.groupBy(
    inlined.filter(each => each.problem === undefined),
    ({ page }) => titleFor(page),
  )
  return { of: title => (ofSections.get(title) ?? []).map(belowHeading), leftOut }
}

/** The first pages with their Markdown, as many as are not too long together. */
async function readTexts({ publication, urls }: ExportSource, pages: readonly Page[]) {
  const { content, record } = publication
  const files = await content.files()
  const read: { page: Page; text: string }[] = []
  let left = MAX_TEXT
  for (const page of pages) {
    if (left <= 0) break
    const text = await contentWithLinks(publication, page, to => urls && targetAddress(record, to, files, urls))
    left -= text.length
    if (left >= 0) read.push({ page, text })
  }
  return read
}

/** The text of a page below its own title, or else below a heading with its name. */
function belowHeading({ page, text, hasTitle }: { page: Page; text: string; hasTitle: boolean }): string {
  const heading = hasTitle ? '' : `\n### ${markdownText(page.name)}\n`
  return `${heading}\n${text.replace(BLANK_LINES, '').trimEnd()}\n`
}

/** Blank lines at the start. Spaces on the next line are kept, since they can mean code. */
const BLANK_LINES = /^(?:[ \t]*\n)+/
/** Characters: about 60,000 tokens, which agents still read whole. */
const MAX_TEXT = 256 << 10
/** Pages come below second-level headings. */
const LEVELS = 2

/** The section for a page, chosen by the last word of its id in any website language. */
function titleFor({ id }: Page): Title {
  const name = id.split('/').at(-1) ?? ''
  return SECTIONS.get(name) ?? 'Overview'
}

const SECTIONS = wordTable<Title>([
  [
    'Colors',
    `color colors colour colours palette farbe farben couleur couleurs colores coloures cor cores colori
    kleur kleuren 色`,
  ],
  [
    'Typography',
    `typography type font fonts typografie typographie schrift schriften tipografia tipografía
    タイポグラフィ`,
  ],
  ['Layout', 'layout grid grids spacing raster mise-en-page diseno diseño griglia grade レイアウト'],
  ['Elevation & Depth', 'elevation depth shadow shadows schatten'],
  ['Shapes', 'shape shapes corners formen forme formes'],
  [
    'Components',
    `component components button buttons komponenten composant composants componentes componenti
    componenten`,
  ],
  [
    "Do's and Don'ts",
    `misuse dont donts don-t don-ts do-and-dont do-and-donts do-and-don-t do-and-don-ts
    dos-and-dont dos-and-donts dos-and-don-t dos-and-don-ts`,
  ],
])
