import { formatBytes } from '../../../base/bytes.ts'
import { pluralize } from '../../../base/text.ts'
import { type BrandFile, folderOf } from '../../../brand/file.ts'
import type { Representation } from '../../../serving/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, htmlInSteps } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { fileCard } from './file-card.ts'
import { KINDS, type Kind, kindOf, previewOf } from './file-kind.ts'
import { FILES_ON_PAGE, type FileList, filesOf, filesOnPage, listName, listOf } from './file-list.ts'

/** A list of the files of a guide, by its name below `/-/`; undefined if there is no such list. */
export async function filesView(guide: Guide, name: string): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const all = await guide.publication.content.files()
  const files = filesOf(all, list.kind)
  const shown = filesOnPage(files, list.number)
  if (list.number > 1 && shown.length === 0) return undefined
  const cards = await htmlInSteps(shown, file => fileCard(guide, file))
  const folders = Map.groupBy(cards, (_, at) => folderOf(shown[at]?.path ?? ''))
  const main = html`<h1>Files</h1>
${all.size > 0 && archive(guide, all)}
${kindLinks(guide, all, list)}
${shown.length > 0 ? found(files, shown, list.number) : html`<p class="lead">${nothing(list)}</p>`}
<div${shown.length > MAX_DRAWN && html` class="many"`}>
${await htmlInSteps(folders, ([folder, cards]) => section(folder, cards))}</div>
${pageLinks(guide, list, files.length)}`
  const hasFaces = shown.some(file => previewOf(file)?.kind === 'font')
  const title = list.kind === 'all' ? 'Files' : KINDS[list.kind]
  return guidePage(guide, {
    title: list.number === 1 ? title : `${title}, page ${list.number}`,
    below: `/-/${name}`,
    main,
    sheets: [guide.assets.path('files.css'), ...(hasFaces ? [pathBelow(guide, `${name}.css`)] : [])],
  })
}

/** Of more files, a browser draws those out of sight when they come into view. */
const MAX_DRAWN = 60

function archive(guide: Guide, files: ReadonlyMap<string, BrandFile>): Html {
  const size = formatBytes(totalOf(Array.from(files.values())))
  return html`<p class="archive"><a href="${pathBelow(guide, 'files.zip')}" download>Download all as ZIP, ${size}</a></p>`
}

function totalOf(files: readonly BrandFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** Links to the kinds of files in a guide. If the list has all of them, a script narrows it without a request. */
function kindLinks(guide: Guide, all: ReadonlyMap<string, BrandFile>, list: FileList): Html | undefined {
  const counts = Map.groupBy(all.values(), kindOf)
  if (counts.size < 2 && (list.kind === 'all' || counts.has(list.kind))) return undefined
  const link = (kind: Kind | 'all', name: string, count: number): Html => {
    const current = kind === list.kind && html` aria-current="page"`
    return html`<li><a href="${pathBelow(guide, listName({ kind, number: 1 }))}" data-kind="${kind}"${current}>${name} <span>${count}</span></a></li>\n`
  }
  const kinds: readonly Kind[] = ['pictures', 'fonts', 'documents', 'media', 'other']
  const isWhole = list.kind === 'all' && all.size <= FILES_ON_PAGE
  return html`<nav class="kinds" aria-label="Kinds of files"${isWhole && html` data-whole`}>
<ul>
${link('all', 'All', all.size)}${kinds.map(kind => counts.has(kind) && link(kind, KINDS[kind], counts.get(kind)?.length ?? 0))}</ul>
</nav>`
}

/** How many files are listed; a script narrows them by name, and shows them on a dark ground. */
function found(files: readonly BrandFile[], shown: readonly BrandFile[], number: number): Html {
  const hasPicture = shown.some(file => previewOf(file)?.kind === 'picture')
  const isPart = shown.length < files.length
  const start = (number - 1) * FILES_ON_PAGE
  const count = isPart
    ? `Files ${start + 1} to ${start + shown.length} of ${files.length}`
    : pluralize(files.length, 'file')
  return html`<div class="narrow">
<label>Narrow by name${isPart && ' on this page'} <input type="search" maxlength="200" autocomplete="off" spellcheck="false"></label>
${hasPicture && html`<button type="button" aria-pressed="false">Dark ground</button>\n`}</div>
<p class="found quiet" role="status">${count}, ${formatBytes(totalOf(shown))}</p>`
}

function nothing({ kind }: FileList): string {
  return kind === 'all' ? 'This guide has no files yet.' : 'This guide has no files of this kind.'
}

function section(folder: string, cards: readonly Html[]): Html {
  const name = folder.split('/').map((part, at) => html`${at > 0 && html`/<wbr>`}${part}`)
  return html`<section class="folder">
<h2>${name}</h2>
<ul class="files">
${cards}</ul>
</section>
`
}

function pageLinks(guide: Guide, { kind, number }: FileList, count: number): Html | undefined {
  const pages = Math.ceil(count / FILES_ON_PAGE)
  if (pages < 2) return undefined
  const link = (to: number): Html => {
    const current = to === number && html` aria-current="page"`
    return html`<li><a href="${pathBelow(guide, listName({ kind, number: to }))}"${current} aria-label="Page ${to}">${to}</a></li>\n`
  }
  return html`<nav class="kinds" aria-label="Pages of the list">
<ul>
${Array.from({ length: pages }, (_, at) => link(at + 1))}</ul>
</nav>`
}
