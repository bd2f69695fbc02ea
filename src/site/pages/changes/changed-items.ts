import type { Color } from '#brand/color.ts'
import { type BrandFile, filename } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { colorAnchor, typeAnchor } from '#serving/addresses.ts'
import type { Change, Changes } from '#serving/publications/changes.ts'
import { type Place, spreadPlaces } from '../../cards/color-spread.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { typePath } from '../../library/type/type-list.ts'
import { earlierId } from '../../library/type/type-sheet.ts'
import { shownPicture, themeOf } from '../../theme/guide-theme.ts'
import { pictureSource } from '../../thumbnails/thumbnail.ts'
import { changedValues } from './changed-values.ts'

/** The colours that changed since an earlier revision, side by side, then new and removed ones. Undefined without any. */
export async function changedColors(
  guide: Guide,
  { added, changed, removed }: Changes<Color>,
  maySeeEarlier: boolean,
): Promise<Html | undefined> {
  const { publication, words } = guide
  const current = new Set((await publication.content.colors()).map(({ id }) => id))
  const page = pathBelow(guide, 'colors')
  const { letterClass } = await themeOf(publication)
  const tile = (color: Color, place?: Place, note?: Word) => {
    const href = current.has(color.id) ? `${page}#${encodeURIComponent(colorAnchor(color.id))}` : page
    return html`${treeHtml(colorTile({ words, color, letters: letterClass(color), href, note, place }))}\n`
  }
  const tiles = (title: Word, colors: readonly Color[]) => {
    if (colors.length === 0) return undefined
    const shown = colors.slice(0, MAX_SHOWN)
    const places = spreadPlaces(shown)
    return html`<h3>${title}</h3>
<ul class="tiles">
${shown.map((color, at) => tile(color, places[at]))}</ul>
${names(colors.slice(MAX_SHOWN).map(({ name }) => html`${name}`))}`
  }
  const pairs = changed.slice(0, MAX_SHOWN).map(
    ({ from, to }) => html`<div class="change"><h3>${to.name}</h3>
${changedValues(words, from, to)}<ul class="tiles changed">
${tile(from, HALF_ROW, words.changes.before)}${tile(to, HALF_ROW, words.changes.after)}</ul>
</div>
`,
  )
  return section(words.sections.colors, [
    ...pairs,
    names(changed.slice(MAX_SHOWN).map(({ to }) => html`${to.name}`)),
    tiles(words.changes.added, added),
    maySeeEarlier && tiles(words.changes.removed, removed),
  ])
}

/**
 * The type styles that changed since an earlier revision: their values and samples before and after, of which the earlier
 * needs the classes of `earlierTypeSheet`. Undefined if there are none.
 */
export function changedTypes(
  guide: Guide,
  { added, changed, removed }: Changes<TypeStyle>,
  maySeeEarlier: boolean,
): Html | undefined {
  const { words } = guide
  const link = (style: TypeStyle) => html`<a href="${typePath(guide, style)}">${style.name}</a>`
  const sample = (style: TypeStyle, name: Word, id: string) =>
    html`<li><span class="quiet">${name}</span><p class="${typeAnchor(id)}" dir="auto">${style.sample ?? style.name}</p></li>\n`
  const pairs = changed.slice(0, MAX_SHOWN).map(
    ({ from, to }) => html`<div class="change"><h3>${link(to)}</h3>
${maySeeEarlier && changedValues(words, from, to)}<ul class="samples changed">
${maySeeEarlier && sample(from, words.changes.before, earlierId(from.id))}${sample(to, words.changes.after, to.id)}</ul>
</div>
`,
  )
  const old = maySeeEarlier ? removed.map(({ name }) => html`${name}`) : []
  return section(words.sections.type, [
    ...pairs,
    list(
      words.changes.changed,
      changed.slice(MAX_SHOWN).map(({ to }) => link(to)),
    ),
    list(words.changes.added, added.map(link)),
    list(words.changes.removed, old),
  ])
}

/**
 * The files that changed since an earlier revision: pictures in both versions side by side if readers may see that
 * revision, because only then does the old file have an address; otherwise links to the new files.
 */
export function changedFiles(
  guide: Guide,
  { added, changed, removed }: Changes<BrandFile>,
  maySeeEarlier: boolean,
): Html | undefined {
  const { site, publication, words } = guide
  const link = (file: BrandFile) => html`<a href="${site.paths.file(publication.record, file)}">${nameOf(file)}</a>`
  const mayShow = maySeeEarlier && !site.copy // A copy has no files of earlier revisions.
  const drawn = mayShow ? changed.filter(hasPictures).slice(0, MAX_SHOWN) : []
  const pairs = drawn.map(
    change => html`<div class="change"><h3>${link(change.to)}</h3>\n${picturesOf(guide, change)}</div>\n`,
  )
  // Readers see the pictures that they may open.
  const gallery = (files: readonly BrandFile[], title: Word) => {
    const shown = files.filter(file => shownPicture(file) !== undefined).slice(0, MAX_SHOWN)
    const cards = shown.map(file => html`<li>${preview(guide, file)}${link(file)}</li>\n`)
    return [
      shown.length > 0 && html`<h3>${title}</h3>\n<ul class="cards">\n${cards}</ul>\n`,
      list(title, files.filter(file => !shown.includes(file)).map(link)),
    ]
  }
  const pictured = new Set(drawn)
  const others = changed.flatMap(each => (pictured.has(each) ? [] : [link(each.to)]))
  const old = maySeeEarlier ? removed.map(file => html`${nameOf(file)}`) : []
  return section(words.sections.files, [
    ...pairs,
    list(words.changes.changed, others),
    ...gallery(added, words.changes.added),
    ...(mayShow ? gallery(removed, words.changes.removed) : [list(words.changes.removed, old)]),
  ])
}

/** Whether both versions of a file have a picture. */
export function hasPictures({ from, to }: Change<BrandFile>): boolean {
  return shownPicture(from) !== undefined && shownPicture(to) !== undefined
}

/** The pictures of a file before and after. */
export function picturesOf(guide: Guide, { from, to }: Change<BrandFile>): Html {
  const { changes } = guide.words
  return html`<ul class="cards changed">
<li>${preview(guide, from)}${changes.before}</li>
<li>${preview(guide, to)}${changes.after}</li>
</ul>
`
}

const HALF_ROW: Place = { width: 30, height: 0, band: 0, names: 'large' }
/** Others are only named. */
const MAX_SHOWN = 50

function section(title: Word, parts: readonly (Html | false | undefined)[]): Html | undefined {
  return parts.some(Boolean) ? html`<h2>${title}</h2>\n${parts}` : undefined
}

function list(title: Word, items: readonly Html[]): Html | undefined {
  return items.length === 0 ? undefined : html`<h3>${title}</h3>\n${names(items)}`
}

function names(items: readonly Html[]): Html | undefined {
  return items.length === 0 ? undefined : html`<ul>\n${items.map(item => html`<li>${item}</li>\n`)}</ul>\n`
}

export function nameOf({ title, path }: BrandFile): string {
  return title ?? filename(path)
}

function preview(guide: Guide, file: BrandFile): Html | undefined {
  const picture = shownPicture(file)
  const ground = file.ground === undefined ? '' : ` ground-${file.ground}`
  return (
    picture &&
    html`<span class="face${ground}"><img ${pictureSource(guide, file)} width="${picture.width}" height="${picture.height}" alt="${picture.description}" loading="lazy" decoding="async"></span>`
  )
}
