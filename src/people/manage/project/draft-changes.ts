import { type Changes, publicationChanges } from '#serving/publications/changes.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, joinWords, type Word } from '#site/html.ts'
import { changedFileName, hasPictures, picturesOf } from '#site/pages/changes/changed-items.ts'
import { settingsNote } from '#site/pages/changes/changes-view.ts'
import type { Managed } from '../context.ts'
import { timeHtml } from '../manage-page.ts'

/** The changes of a draft since publication by name, and pictures of changed files; without a publication, their numbers. */
export async function draftChanges({ record }: Managed, guide: Guide): Promise<Html> {
  const { site, words, publication } = guide
  const { published } = record
  const earlier = site.service.openPublication(record)
  if (!earlier || !published) return html`<p>${words.manage.allNew({ items: await countsOf(guide) })}</p>\n`
  const { pages, colors, types, files } = await publicationChanges(earlier, publication)
  const rows = [
    changeRows(words.usage.kinds.page, pages, words, ({ id, name }, isKept) =>
      isKept ? html`<a href="${site.paths.page(publication.record, id)}">${name}</a>` : html`${name}`,
    ),
    changeRows(words.sections.colors, colors, words, ({ name }) => html`${name}`),
    changeRows(words.sections.type, types, words, ({ name }) => html`${name}`),
    changeRows(words.sections.files, files, words, file => html`${changedFileName(file)}`),
  ]
  const drawn = files.changed.filter(hasPictures).slice(0, MAX_PICTURES)
  const { revision, publishedAt } = published
  const since = words.changes.since({ revision, day: timeHtml(words, publishedAt) })
  const pictures = drawn.map(change => html`<h3>${changedFileName(change.to)}</h3>\n${picturesOf(guide, change)}`)
  return html`<p>${since}</p>
${rows.some(Boolean) && html`<dl class="facts">\n${rows}</dl>\n`}${await settingsNote(guide, earlier)}${pictures}`
}

/** The number of pages, colours, type styles and files of a guide, in a sentence. */
async function countsOf({ publication: { content }, words }: Guide): Promise<Word> {
  const { usage, sections } = words
  const counts: readonly (readonly [Word, number])[] = [
    [usage.kinds.page, (await content.pages()).size],
    [sections.colors, (await content.colors()).length],
    [sections.type, (await content.types()).length],
    [sections.files, (await content.files()).size],
  ]
  return words.list(counts.map(([name, count]) => joinWords([name, words.number(count)], '\u00a0')))
}

/** The names of the items of one kind, in a line for each kind of change. `isKept`: whether the draft still has them. */
function changeRows<Item>(
  title: Word,
  { added, changed, removed }: Changes<Item>,
  { changes, comma, manage }: Guide['words'],
  nameHtml: (item: Item, isKept: boolean) => Html,
): Html | undefined {
  const row = (what: Word, items: readonly Item[], isKept = true) => {
    const names = items
      .slice(0, MAX_NAMES)
      .map((item, at) => html`${at > 0 && comma}<bdi>${nameHtml(item, isKept)}</bdi>`)
    const more = items.length > MAX_NAMES && html` ${manage.more({ count: items.length - MAX_NAMES })}`
    return items.length > 0 && html`<dd>${what}: ${names}${more}</dd>\n`
  }
  const current = changed.map(({ to }) => to)
  const rows = [row(changes.added, added), row(changes.changed, current), row(changes.removed, removed, false)]
  return rows.some(Boolean) ? html`<dt>${title}</dt>\n${rows}` : undefined
}

/** The names in a line, and the pictures. The page of changes has all of them. */
const MAX_NAMES = 30
const MAX_PICTURES = 12
