import { setImmediate as nextTurn } from 'node:timers/promises'
import { PRINT_SYSTEMS } from '#brand/color.ts'
import type { BrandFile } from '#brand/file.ts'
import type { Page, Target } from '#brand/page.ts'
import { assignCopyNames, openPathAllocator } from '#brand/portable-paths.ts'
import { ok } from '#platform/base/result.ts'
import { contentWithLinks, encodePath, encodeSegment, targetAddress } from '#serving/addresses.ts'
import { usableFiles } from '#serving/publications/library.ts'
import { dtcg } from '../dtcg.ts'
import {
  describeOmission,
  type Exported,
  type ExportedFile,
  type ExportSource,
  headLines,
  type MakeExport,
  textFile,
} from '../format.ts'
import { logosOf } from '../logos.ts'
import { tokensCss } from '../style-sheets/tokens-css.ts'
import { stylesJson } from '../style-tables.ts'
import { type Brand, brandOf, documentFile, type Section } from './agent-document.ts'
import { colorLine, markdownText, oneLine, typeLine, withFrontMatter, yamlComment, yamlText } from './markdown-text.ts'
import { skillName } from './skill-name.ts'

/** An agent skill (agentskills.io): `SKILL.md`, pages in `references/`, values and the logo in `assets/`. */
export const skill: MakeExport = async source => {
  const { publication } = source
  const { content, record } = publication
  const name = skillName(record)
  const pages = Array.from((await content.pages()).values())
  const assets = await assetsOf(source)
  const tokens = await tokenFiles(source)
  const places = referencePlaces(pages)
  // Only the first pages, if the text of all is too long.
  const references = await referencesOf(source, pages, { places, ...assets })
  const leftOut = [...references.leftOut, ...assets.leftOut, ...(source.urls ? [] : [NO_ADDRESSES])]
  const files = [...assets.paths].map(([content, path]) => ({ path: `assets/${path}`, content }))
  const contents = {
    places,
    pages: pages.slice(0, references.files.length),
    assets: [...tokens, ...files].map(({ path }) => path),
  }
  const main = await mainFile(source, name, contents, leftOut)
  const all = [main, ...references.files, ...tokens, ...files]
  return ok({ files: all.map(({ path, content }) => ({ path: `${name}/${path}`, content })), leftOut })
}

/** The colours and type styles for programs: as JSON with every value, as design tokens and as a style sheet. */
async function tokenFiles(source: ExportSource): Promise<ExportedFile[]> {
  const files: ExportedFile[] = []
  for (const make of [stylesJson, dtcg, tokensCss]) {
    const exported = await make({ ...source, options: {} })
    if (exported.ok)
      files.push(...exported.value.files.map(({ path, content }) => ({ path: `assets/${path}`, content })))
  }
  return files
}

type Assets = { paths: ReadonlyMap<BrandFile, string>; leftOut: string[] }

/** The logos, and the picture in link previews. */
async function assetsOf({ publication: { content } }: ExportSource): Promise<Assets> {
  const [files, { socialImage }] = await Promise.all([usableFiles(content), content.appearance()])
  const { logos } = await logosOf(content)
  const previewPicture = socialImage === undefined ? undefined : files.get(socialImage)
  const candidates = [...new Set([...logos, ...(previewPicture ? [previewPicture] : [])])]
  const included: BrandFile[] = []
  let bytes = 0
  for (const file of candidates) {
    if (included.length === MAX_ASSETS || bytes + file.size > MAX_ASSET_BYTES) continue
    bytes += file.size
    included.push(file)
  }
  const leftOut = candidates.filter(file => !included.includes(file)).map(({ path }) => path)
  const reason = `a skill contains at most ${MAX_ASSETS} logo files, ${MAX_ASSET_BYTES >> 20} MiB in total`
  return { paths: assignCopyNames(included, TOKEN_FILES), leftOut: describeOmission('logo', leftOut, reason) }
}

const MAX_ASSETS = 24
const MAX_ASSET_BYTES = 8 << 20
const TOKEN_FILES = ['styles.json', 'tokens.json', 'tokens.css']

/** The paths of pages in a skill, keyed by id, and the names of files in `assets/`. */
type InSkill = { places: (id: string) => string; paths: Assets['paths'] }

/** The pages as files, in order, up to `MAX_TEXT`. Links between exported pages become relative paths. */
async function referencesOf(source: ExportSource, pages: readonly Page[], inSkill: InSkill): Promise<Exported> {
  const files = await pagesAsFiles(source, pages, inSkill)
  if (files.length === pages.length) return { files, leftOut: [] }
  const included = pages.slice(0, files.length)
  const others = pages.slice(included.length).map(({ id }) => id)
  const leftOut = describeOmission('page', others, `a skill contains only the first ${MAX_TEXT >> 20} MiB of text`)
  // Again, now without relative links to the pages that are left out.
  return { files: await pagesAsFiles(source, included, inSkill), leftOut }
}

/** The first pages as files, up to `MAX_TEXT`. */
async function pagesAsFiles(
  { publication, urls }: ExportSource,
  pages: readonly Page[],
  { places, paths }: InSkill,
): Promise<ExportedFile[]> {
  const files = await publication.content.files()
  const pageIds = new Set(pages.map(({ id }) => id))
  const references: ExportedFile[] = []
  let length = 0
  for (const page of pages) {
    const place = places(page.id)
    const up = '../'.repeat(place.split('/').length - 1)
    const addressOf = (to: Target): string | undefined => {
      if (to.page !== undefined && pageIds.has(to.page)) return `${up}${encodePath(places(to.page))}`
      const file = to.file === undefined ? undefined : files.get(to.file)
      const asset = file && paths.get(file)
      if (asset !== undefined) return `${up}assets/${encodeSegment(asset)}`
      return urls && targetAddress(publication.record, to, files, urls)
    }
    const text = withFrontMatter(page, await contentWithLinks(publication, page, addressOf))
    length += text.length
    if (length > MAX_TEXT) break
    references.push(textFile(place, [text]))
    await nextTurn() // A page with many links takes a millisecond.
  }
  return references
}

/** The paths of pages in the skill, keyed by id. */
function referencePlaces(pages: readonly Page[]): (id: string) => string {
  const { take } = openPathAllocator()
  const places: ReadonlyMap<string, string> = new Map(pages.map(({ id }) => [id, take(`references/${id}.md`)]))
  return id => places.get(id) ?? ''
}

/** In characters. */
const MAX_TEXT = 16 << 20

const NO_ADDRESSES =
  'addresses of files and lists: a draft has none, so links to content outside the skill stay as written'

/** `SKILL.md`: instructions, and lists of what the other files contain. */
async function mainFile(
  source: ExportSource,
  name: string,
  { places, pages, assets }: { places: (id: string) => string; pages: readonly Page[]; assets: readonly string[] },
  leftOut: readonly string[],
): Promise<ExportedFile> {
  const brand = await brandOf(source)
  const { colors, types } = brand
  const lists = [
    listOf('Pages', pages, page => pageLine(page, places(page.id)), 'references/'),
    listOf('Colours', colors, colorLine, 'assets/styles.json'),
    listOf('Type styles', types, typeLine, 'assets/styles.json'),
    { title: 'Files', lines: assets.map(path => `- [${markdownText(path)}](${encodePath(path)})\n`), below: [] },
  ]
  return documentFile('SKILL.md', {
    frontMatter: [
      `name: ${name}\ndescription: ${yamlText(describeSkill(brand))}\n`,
      metadata(source),
      yamlComment(headLines(source, leftOut)),
    ],
    title: oneLine(brand.name),
    introduction: INTRODUCTION,
    sections: lists,
  })
}

const INTRODUCTION = `
Follow these guidelines for everything that you make for the brand: pages, documents, slides, code, pictures and text.

1. Before you begin, read the page below that is about your task; read other pages when it mentions them.
2. Take colours and type from the values here, never from memory or from a picture. [assets/styles.json](assets/styles.json) contains all of them, [assets/tokens.css](assets/tokens.css) is a style sheet, and [assets/tokens.json](assets/tokens.json) contains design tokens.
3. Use only the given print values (${PRINT_SYSTEMS.join(', ')}). Never compute or guess a missing one.
4. Use the logo files unchanged. Never redraw, recolour or stretch them.
`

/** Agents read the whole body, so its lists are short. */
const MAX_LISTED = 60

/** A section with the first items, and where to find the others. */
function listOf<Item>(title: string, items: readonly Item[], lineOf: (item: Item) => string, rest: string): Section {
  const more = items.length - MAX_LISTED
  const below = more > 0 ? [`\n${more} more: see ${rest}.\n`] : []
  return { title, lines: items.slice(0, MAX_LISTED).map(lineOf), below }
}

function pageLine({ name, description }: Page, place: string): string {
  const about = description === undefined ? '' : `: ${shorten(markdownText(description), 200)}`
  return `- [${shorten(markdownText(name), 200)}](${encodePath(place)})${about}\n`
}

/** At most 1,024 characters without tags, since agents insert it among their own. */
function describeSkill({ name, about }: Brand): string {
  const plain = (text: string, maxLength: number) => shorten(oneLine(text).replace(/[<>]/g, ''), maxLength)
  const more = about === undefined ? '' : ` ${plain(about, 300)}`
  return `Brand guidelines of ${plain(name, 200)}: colours, type, logo and rules.${more} Use when designing, writing or coding anything for this brand: web pages, documents, slides, graphics or text.`
}

/** Cuts a string to `maxLength` characters, but not within a character or after the backslash of an escape. */
function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text
        .slice(0, maxLength - 1)
        .toWellFormed()
        .replace(/\\$/, '')}…`
}

function metadata({ publication, isPublished, urls }: ExportSource): string {
  const { snapshot, revision } = publication.published
  const fields = [
    ...(isPublished ? [`  revision: "${revision}"\n`] : []),
    `  snapshot: "${snapshot}"\n`,
    ...(urls ? [`  source: ${yamlText(urls.project(publication.record))}\n`] : []),
  ]
  return `metadata:\n${fields.join('')}`
}
