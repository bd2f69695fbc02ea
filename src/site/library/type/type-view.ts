import { type BrandFile, filename } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { familyList, sizeRange, styleDeclarations } from '#export/style-sheets/css-text.ts'
import { characterNames } from '#fonts/character-names.ts'
import { typeAnchor } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { usePanel } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, joinWords, type Word } from '../../html.ts'
import { editLink, guidePage, listEnd } from '../../layout/layout.ts'
import { type GuideTheme, themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { styleFaces } from './faces/style-faces.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { familyNames, MAX_CHARACTERS, MAX_NAMES, specimen } from './specimen/specimen.ts'
import { familyPaths, typeEntries } from './type-list.ts'
import { fontNote, sampleText } from './type-samples.ts'

export async function typeView(guide: Guide): Promise<Representation> {
  const { site, publication, words } = guide
  const { styles, faces, unread, count, fonts } = await typeEntries(guide)
  const address = (file: BrandFile) => site.paths.file(publication.record, file)
  const hasFonts = faces.length + unread.length > 0
  const use = await usePanel(guide, 'types')
  const specimenFonts = await shownFamilies(guide, faces, fonts)
  const paths = await familyPaths(guide)
  const parts = {
    styles,
    characters: await characterNames(),
    level: 4,
    max: Math.floor(MAX_CHARACTERS / specimenFonts.families.length),
    lang: await publication.content.lang(),
  }
  const specimens = specimenFonts.families.map(family => {
    const heading = html`<h3><a href="${paths.get(family.name)}">${family.name}</a></h3>`
    return specimen(guide, family, { ...parts, heading })
  })
  const families = namedFirst(specimenFonts.families, styles)
  const names = families.slice(0, MAX_NAMES).map(({ name }) => ({ family: name }))
  const options = { display: 'block', hasEmphasis: false } as const
  const { fonts: first, keptMs = specimenFonts.keptMs } = await styleFaces(guide, [...names, ...styles], options)
  const main = html`${!guide.site.copy && first.slice(0, MAX_PRELOADED).map(({ file }) => preload(file, address(file)))}<header class="prose"><h1>${words.sections.type}</h1>
${count === 0 && html`<p class="lead">${words.type.none}</p>`}${styles.length + families.length > 0 && html`<p class="quiet editable">${words.specimen.editable}</p>`}</header>
${familyNames(families, paths, parts.lang)}${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n`}${styleTable(words, styles, fonts.families, paths)}
${typeArticle(words, styles, await themeOf(publication))}${hasFonts && html`<h2 id="fonts">${words.type.fonts}</h2>\n`}${specimenFonts.keptMs !== undefined && html`<p role="status">${words.specimen.reading}</p>\n`}${specimens}
${unread.map(file => html`<p>${words.type.unread({ file: html`<a href="${address(file)}" download>${filename(file.path)}</a>` })}</p>\n`)}${listEnd(words, count, pathBelow(guide, faces.length > 0 ? 'files.zip' : 'exports/types.csv'))}${use}${styles.length > 0 && (await editLink(guide, { path: 'styles/types.yaml' }))}`
  const view = await guidePage(guide, {
    kind: 'type',
    title: `${words.sections.type}`,
    below: '/-/type',
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, keptMs }
}

/** The families in the order in which type styles name them, then the others. */
function namedFirst(families: readonly ShownFamily[], styles: readonly TypeStyle[]): ShownFamily[] {
  const names = styles.map(({ family }) => family)
  const place = ({ name }: ShownFamily) => (names.includes(name) ? names.indexOf(name) : names.length)
  return families.toSorted((a, b) => place(a) - place(b))
}

/** Loads a font with the style sheets; not in copies, since browsers load fonts of a folder only for style sheets. */
function preload({ contentType }: BrandFile, address: string): Html {
  return html`<link rel="preload" as="font" type="${contentType}" href="${address}" crossorigin>\n`
}

const MAX_PRELOADED = 4

/** Pairs of a title and a body style, each with its own sample or the theme's. Undefined with fewer than two styles. */
function typeArticle(
  words: Words,
  styles: readonly TypeStyle[],
  { heading, body }: Pick<GuideTheme, 'heading' | 'body'>,
): Html | undefined {
  if (styles.length < 2) return undefined
  const [titles, texts] = [styles.filter(isTitle), styles.filter(style => !isTitle(style))]
  const line = (style: TypeStyle | undefined, sample: string | undefined) =>
    style &&
    html`<p class="${typeAnchor(style.id)}" dir="auto">${style.sample ?? sample ?? sampleText(words, style)}</p>\n`
  const pairs = Array.from({ length: Math.min(MAX_PAIRS, Math.max(titles.length, texts.length)) }, (_, at) => {
    return html`<div>${line(titles[at], heading?.sample)}${line(texts[at], body?.sample)}</div>\n`
  })
  return html`<h2 id="together">${words.specimen.together}</h2>\n<div class="together">\n${pairs}</div>\n`
}

const MAX_PAIRS = 6

function isTitle({ size = 0, casing, weight = 400 }: TypeStyle): boolean {
  return size >= 28 || weight >= 600 || casing === 'uppercase'
}

/**
 * The type styles in one table: values and an editable sample, a note on each missing font once, and all values with the
 * CSS to copy in a folded row.
 */
function styleTable(
  words: Words,
  styles: readonly TypeStyle[],
  families: ReadonlyMap<string, unknown>,
  paths: ReadonlyMap<string, string>,
): Html | undefined {
  if (styles.length === 0) return undefined
  const { type, search } = words
  const columns = COLUMNS.filter(({ of }) => styles.some(style => of(style, type) !== undefined))
  const labels = [search.typeStyle, ...columns.map(({ label }) => type[label]), type.sampleLabel]
  return html`<table class="scale"><thead><tr>${labels.map(label => html`<th scope="col">${label}</th>`)}</tr></thead>
${styles.map((style, at) => {
  const isFirst = styles.findIndex(({ family }) => family === style.family) === at
  const note = isFirst ? fontNote(words, style.family, families) : undefined
  return rowsOf(words, style, { columns, note, path: paths.get(style.family ?? '') })
})}</table>
`
}

type Column = {
  label: 'size' | 'leading' | 'tracking' | 'weightLabel'
  of: (style: TypeStyle, words: Words['type']) => Word | number | undefined
}

/** The columns between name and sample, each if a style has a value for it. */
const COLUMNS: readonly Column[] = [
  { label: 'size', of: style => (style.size === undefined ? undefined : `${sizeRange(style)} px`) },
  { label: 'leading', of: ({ leading }) => leading },
  { label: 'tracking', of: ({ tracking }) => (tracking === undefined ? undefined : `${tracking} em`) },
  {
    label: 'weightLabel',
    of: ({ weight, style = 'normal' }, { slants }) =>
      style === 'normal' ? weight : joinWords([weight === undefined ? '' : String(weight), slants[style]], ' '),
  },
]

type RowParts = { columns: readonly Column[]; note: Word | undefined; path: string | undefined }

function rowsOf(words: Words, style: TypeStyle, { columns, note, path }: RowParts): Html {
  const { type, specimen } = words
  const { id, name, family, fallback = [] } = style
  const anchor = typeAnchor(id)
  const names = [...(family === undefined ? [] : [family]), ...fallback]
  const css = styleDeclarations(style, names.length === 0 ? undefined : familyList(names))
  const copyCss = words.copy.copy({ what: `${type.cssOf({ style: name })}` })
  const values = valuesOf(words, style).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<tbody id="${anchor}">
<tr><th scope="row"><a href="#${anchor}">${name}</a>${family !== undefined && html` <a class="quiet" href="${path}">${family}</a>`}</th>
${columns.map(({ of }) => html`<td>${of(style, type)}</td>`)}
<td class="sample"><div><p class="${anchor}" dir="auto" contenteditable="plaintext-only" role="textbox" aria-label="${specimen.write({ family: name })}" spellcheck="false">${sampleText(words, style)}</p>${note && html`<p class="quiet">${note}</p>`}</div></td></tr>
${
  css.length > 0 &&
  html`<tr><td colspan="${columns.length + 2}"><details><summary aria-label="${`${type.details}: ${name}`}">${type.details}</summary><div class="style">
<dl>${values}</dl>
<div class="css"><pre><code>${css.join(';\n')};</code></pre><button type="button" class="copy" data-copy aria-label="${copyCss}"></button></div>
</div></details></td></tr>
`
}</tbody>
`
}

function valuesOf({ type, list }: Words, style: TypeStyle): readonly (readonly [label: Word, value: Word | number])[] {
  const { family, weight, size, leading, tracking, casing, spacing, responsive, fallback } = style
  const settings = (tags: Readonly<Record<string, number>> = {}) =>
    list(Object.entries(tags).map(([tag, value]) => `${tag} ${value}`)) || undefined
  const values = [
    [type.family, family],
    [type.weightLabel, weight],
    [type.slant, style.style && type.slants[style.style]],
    [type.size, size === undefined ? undefined : `${size} px`],
    [type.leading, leading],
    [type.tracking, tracking === undefined ? undefined : `${tracking} em`],
    [type.casing, casing === 'none' ? undefined : type.casings[casing]],
    [type.spacing, spacing === undefined ? undefined : type.afterParagraph({ ems: `${spacing}` })],
    [type.responsive, responsive ? type.sizeFollows : undefined],
    [type.features, settings(style.features)],
    [type.axes, settings(style.axes)],
    [type.fallback, fallback && list(fallback)],
  ] as const
  return values.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
