import type { Color } from '#brand/color.ts'
import { type BrandFile, FILE_NOTE_KEYS, filename } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { pick } from '#platform/base/object.ts'
import { colorAnchor, typeAnchor } from '#serving/addresses.ts'
import type { Change, Changes } from '#serving/publications/changes.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { attribute, type Html, html, type Word } from '../../html.ts'
import { typePath } from '../../library/type/type-list.ts'
import { earlierId } from '../../library/type/type-sheet.ts'
import { shownPicture, themeOf } from '../../theme/guide-theme.ts'
import { pictureSource } from '../../thumbnails/thumbnail.ts'
import type { Words } from '../../words/words.ts'
import { changedValues } from './changed-values.ts'

/** A changed item before and after, or a new or removed one; `item` is the later of both. */
export type Version<Item> = { item: Item; before?: Item | undefined; after?: Item | undefined; what: Word }

/** The changed items of one kind, with the anchor of their heading. */
export type ChangedSection = { title: Word; anchor: string; count: number; content: Html }

/** Changed items, then new and removed ones. A new and a removed item with the same key are one with a new address. */
export function versionsOf<Item>(
  { changes }: Words,
  { added, changed, removed }: Changes<Item>,
  maySeeEarlier: boolean,
  keyOf: (item: Item) => string,
): Version<Item>[] {
  const removedByKey = Map.groupBy(maySeeEarlier ? removed : [], keyOf)
  // `shift` takes each removed item that was moved from its list, so that the lists keep the items that no longer exist.
  const newItems = added.map(after => ({ item: after, after, before: removedByKey.get(keyOf(after))?.shift() }))
  return [
    ...changed.map(({ from, to }) => ({ item: to, before: from, after: to, what: changes.changed })),
    ...newItems.map(each => ({ ...each, what: each.before ? changes.moved : changes.added })),
    ...[...removedByKey.values()].flat().map(before => ({ item: before, before, what: changes.removed })),
  ]
}

/** The name of an item, with a link if it has an address. */
export function nameHtml(name: string, address: string | undefined): Html {
  return address === undefined ? html`${name}` : html`<a href="${address}">${name}</a>`
}

/** A changed item: its name, what happened to it, such as `new`, and its content before and after. */
export function changeHtml(name: Html, what: Word, content: Html | false | undefined, id?: string): Html {
  return html`<div class="change"${attribute('id', id)}><h3>${name} <span class="what">${what}</span></h3>
${content}</div>
`
}

/** The colours that differ from an earlier revision: each changed value, and the tiles before and after. */
export async function changedColors(
  guide: Guide,
  changes: Changes<Color>,
  maySeeEarlier: boolean,
): Promise<ChangedSection> {
  const { publication, words } = guide
  const currentIds = new Set((await publication.content.colors()).map(({ id }) => id))
  const page = pathBelow(guide, 'colors')
  const { letterClass } = await themeOf(publication)
  const tile = (color: Color, note: Word | undefined) => {
    const href = currentIds.has(color.id) ? `${page}#${encodeURIComponent(colorAnchor(color.id))}` : page
    return html`${treeHtml(colorTile({ words, color, letters: letterClass(color), href, note }))}\n`
  }
  const versions = versionsOf(words, changes, maySeeEarlier, ({ name }) => name)
  return section(words, [words.sections.colors, 'colors'], versions, ({ item, before, after, what }) => {
    const values = changedValues(words, { before, after })
    const tiles = html`<ul class="tiles changed">
${before && tile(before, after && words.changes.before)}${after && tile(after, before && words.changes.after)}</ul>\n`
    return changeHtml(html`${item.name}`, what, html`${values}${tiles}`)
  })
}

/**
 * The type styles that differ from an earlier revision: each changed value, and the samples before and after, of which
 * the earlier needs the classes of `earlierTypeSheet`.
 */
export function changedTypes(guide: Guide, changes: Changes<TypeStyle>, maySeeEarlier: boolean): ChangedSection {
  const { words } = guide
  const sample = (style: TypeStyle, id: string, name: Word | undefined) =>
    html`<li>${name !== undefined && html`<span class="quiet">${name}</span>`}<p class="${typeAnchor(id)}" dir="auto">${style.sample ?? style.name}</p></li>\n`
  const versions = versionsOf(words, changes, maySeeEarlier, ({ name }) => name)
  return section(words, [words.sections.type, 'type'], versions, ({ item, before, after, what }) => {
    const shownBefore = maySeeEarlier ? before : undefined
    const name = nameHtml(item.name, after && typePath(guide, after))
    // Only two samples of one style need the words *before* and *after*.
    const earlierSample = shownBefore && sample(shownBefore, earlierId(shownBefore.id), after && words.changes.before)
    const laterSample = after && sample(after, after.id, shownBefore && words.changes.after)
    const values = changedValues(words, { before: shownBefore, after })
    return changeHtml(
      name,
      what,
      html`${values}<ul class="samples">
${earlierSample}${laterSample}</ul>\n`,
    )
  })
}

/**
 * The files that differ from an earlier revision: each changed value, and the pictures before and after if readers may
 * see that revision, because only then does the old file have an address.
 */
export function changedFiles(guide: Guide, changes: Changes<BrandFile>, maySeeEarlier: boolean): ChangedSection {
  const { site, publication, words } = guide
  const values = (file: BrandFile) => ({
    path: file.path,
    ...pick(file, FILE_NOTE_KEYS),
    ...file.metadata,
    bytes: words.bytes(file.size),
  })
  const versions = versionsOf(words, changes, maySeeEarlier, ({ hash }) => hash)
  return section(words, [words.sections.files, 'files'], versions, ({ item, before, after, what }) => {
    const shownBefore = maySeeEarlier ? before : undefined
    const name = nameHtml(changedFileName(item), after && site.paths.file(publication.record, after))
    const changed = changedValues(words, { before: shownBefore, after }, values)
    // A copy has no files of earlier revisions.
    const pictures = picturesOf(guide, { from: site.copy ? undefined : shownBefore, to: after })
    return changeHtml(name, what, html`${changed}${pictures}`)
  })
}

/** Whether a file has another picture than before. */
export function hasPictures({ from, to }: Change<BrandFile>): boolean {
  return from.hash !== to.hash && shownPicture(from) !== undefined && shownPicture(to) !== undefined
}

/** The pictures of a file before and after, or the only one. */
export function picturesOf(
  guide: Guide,
  { from, to }: { from: BrandFile | undefined; to: BrandFile | undefined },
): Html | undefined {
  const { changes } = guide.words
  const files = from?.hash === to?.hash ? [to] : [from, to]
  const pictures = files.map(file => file && preview(guide, file))
  const isPair = pictures.every(Boolean) && pictures.length > 1
  const items = pictures.map(
    (picture, at) => picture && html`<li>${picture}${isPair && (at === 0 ? changes.before : changes.after)}</li>\n`,
  )
  return items.some(Boolean) ? html`<ul class="cards changed">\n${items}</ul>\n` : undefined
}

function preview(guide: Guide, file: BrandFile): Html | undefined {
  const picture = shownPicture(file)
  const ground = file.ground === undefined ? '' : ` ground-${file.ground}`
  return (
    picture &&
    html`<span class="face${ground}"><img ${pictureSource(guide, file)} width="${picture.width}" height="${picture.height}" alt="${picture.description}" loading="lazy" decoding="async"></span>`
  )
}

function section<Item>(
  words: Words,
  [title, anchor]: readonly [Word, string],
  versions: readonly Version<Item>[],
  rowOf: (version: Version<Item>) => Html,
): ChangedSection {
  const count = versions.length
  const more = count > MAX_SHOWN && html`<p>${words.manage.more({ count: count - MAX_SHOWN })}</p>\n`
  return { title, anchor, count, content: html`${versions.slice(0, MAX_SHOWN).map(rowOf)}${more}` }
}

/** The number of items of each kind on a page; `housestyle diff` lists the others. */
const MAX_SHOWN = 200

export function changedFileName({ title, path }: BrandFile): string {
  return title ?? filename(path)
}
