import { type BrandFile, filename, isExpired, isFont, MEDIA } from '../../../brand/file.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { colorIn, colorList, colorPath } from '../../library/colors/color-list.ts'
import type { LibraryItem } from '../../library/files/library-item.ts'
import { knownFacts } from '../../library/type/faces/guide-fonts.ts'
import { fontRights } from '../../library/type/specimen/specimen.ts'
import { typePath } from '../../library/type/type-list.ts'
import { mentionsOf } from './file-mentions.ts'

type Row = readonly [label: Word, value: Html | Word | undefined]

/** The facts of a file: its name, uses and rights, the pages and styles that use it, and its address. */
export async function fileFacts(
  guide: Guide,
  { item, file, group }: { item: LibraryItem; file: BrandFile; group: FormatGroup },
): Promise<Html> {
  const { words } = guide
  // Facts of the whole item are often written only at its first format.
  const { licence, territory } = { ...item.first, ...file }
  const rows: Row[] = [
    [words.files.file, html`<bdi>${filename(file.path)}</bdi>`],
    ...(await useRows(guide, item)),
    [words.specimen.license, licence],
    [words.files.territory, territory],
    ...(await fontRows(guide, item.shown, licence !== undefined)),
    [words.files.usedIn, await mentions(guide, group)],
    [words.files.address, address(guide, file)],
  ]
  return html`<dl class="facts">
${rows.map(([label, value]) => value !== undefined && value !== '' && html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>
`
}

async function fontRows(guide: Guide, file: BrandFile, hasLicence: boolean): Promise<readonly Row[]> {
  if (!isFont(file)) return []
  const { type, specimen } = guide.words
  const face = { file }
  const { facts } = await knownFacts(guide, [face])
  const known = facts.get(face)
  const rights = known ? fontRights(guide.words, known) : []
  const { family, subFamily, weight } = file.metadata ?? {}
  return [
    [type.family, family],
    [type.slant, subFamily],
    [type.weightLabel, weight === undefined ? undefined : `${weight}`],
    // The guide's own words about a licence replace those in the font.
    ...rights.filter(([label]) => !hasLicence || label !== specimen.license),
  ]
}

async function useRows(guide: Guide, { formats, first, ground }: LibraryItem): Promise<readonly Row[]> {
  const { list, files } = guide.words
  const { uses } = files
  const media = MEDIA.filter(each => formats.some(({ medium }) => medium?.includes(each)))
  const colors = ground === undefined ? undefined : await colorList(guide)
  const color = colors && colorIn(colors, ground)
  return [
    [uses.medium, list(media.map(each => uses.media[each]))],
    [uses.ground, colors && color && html`<a href="${colorPath(guide, colors, color.id)}">${color.name}</a>`],
    [uses.width, first.minWidth === undefined ? undefined : `≥ ${first.minWidth}`],
  ]
}

/** Links to the pages and type styles that use an item. */
async function mentions(guide: Guide, group: FormatGroup): Promise<Html | undefined> {
  const { publication, paths } = guide
  const { pages, styles } = await mentionsOf(publication, group)
  const links = [
    ...pages.map(({ id, name }) => ({ href: paths.page(publication.record, id), name })),
    ...styles.map(style => ({ href: typePath(guide, style), name: style.name })),
  ].slice(0, MAX_MENTIONS)
  if (links.length === 0) return undefined
  return html`<ul>${links.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>\n`)}</ul>`
}

const MAX_MENTIONS = 48

/** The stable address of a file that may be used, with a button that copies it; a copy of a guide has none. */
function address({ publication, urls, words, copy }: Guide, file: BrandFile): Html | undefined {
  if (copy || isExpired(file, publication.content.today())) return undefined
  const url = urls.file(publication.record, file)
  const label = words.files.copyAddressOf({ name: filename(file.path) })
  return html`<code class="address">${url}</code><button type="button" class="copy" data-copy="${url}" aria-label="${label}"></button>`
}
