import { HOME_PAGE } from '#brand/page.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { mergedText, type Passage } from '#publishing/git/edit/merge.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { navigationItem } from '#site/layout/header.ts'
import { guidePage } from '#site/layout/layout.ts'
import { withFonts } from '#site/library/with-fonts.ts'
import { readEditScript } from '#site/script/edited/edit-script.ts'
import type { Words } from '#site/words/words.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { button, formHtml } from '../../manage/form.ts'
import { ownPage } from '../../manage/manage-page.ts'
import { fieldsOfFile, inEnglish } from '../fields.ts'
import type { EditedText } from '../source/edited-text.ts'
import { type FormState, fieldsHtml, textHtml } from './form-html.ts'
import { BODY, partOf, REMOVE, type Sent, textOf } from './form-parts.ts'
import { sourceData } from './source-data.ts'
import { mayDelete, type Target } from './target.ts'
import { editAddress, type GuideVisit, tokenOf } from './visit.ts'

/** What a page shows: the form of a file, or why there is none, and the result of the last attempt. */
export type EditPage = {
  target: Target
  /** The text that the form shows. */
  opened?: EditedText
  /** The text of the branch that the new text is compared with. */
  base?: string
  /** The fields that were sent, which stay in the form. */
  sent?: Sent
  saveId?: string
  summary?: string
  problem?: Word | undefined
  /** Problems by the names of their fields. */
  problems?: ReadonlyMap<string, Word>
  /** The places that two people changed. */
  conflict?: readonly Passage[]
  saved?: Html | undefined
  status?: 409
}

/** Replies with the page of a form. Only the person who edits sees it. */
export async function editPage(visit: GuideVisit, page: EditPage): Promise<Reply> {
  const { context, words, record } = visit
  const { edit } = words
  const { target, opened, base, saved, conflict, problems = new Map() } = page
  const nonce = context.newId()
  const title = edit.title({ page: await nameOf(visit, page) })
  const why = page.problem === undefined || base === undefined ? page.problem : `${edit.nothingSaved} ${page.problem}`
  const differs = !saved && opened && isWaiting(record) && html`<p class="quiet">${edit.differs}</p>\n`
  const form = opened && (await fileForm(visit, page, nonce))
  const main = html`${saved}${differs}${conflict && conflictHtml(words, conflict)}${form}${opened && mayDelete(target) && deletion(visit, page)}`
  const id = target.kind === 'page' ? idOf(target) : undefined
  const problem = why ?? (problems.size > 0 ? edit.invalid : undefined)
  const status = page.status ?? (conflict ? 409 : undefined)
  return formPage(visit, { title, main, problem, status, id, nonce })
}

/** The page that a file is. */
function idOf({ shown }: Target): string {
  return shown.slice(1) || HOME_PAGE
}

type Page = {
  title: Word
  main: Html
  /** Said first, where screen readers begin. */
  problem?: Word | undefined
  status?: number | undefined
  id?: string | undefined
  nonce?: string
}

/** Replies with a page of the editor in the layout of its guide. */
export async function formPage(visit: GuideVisit, { title, main, problem, status, id, nonce }: Page): Promise<Reply> {
  const { context, guide, request, words } = visit
  const path = context.manage.site.here(request.path)
  const names = { new: words.edit.newPage, ...listNames(words) }
  const links = Object.entries(names).map(([below, name]) => ({ path: editAddress(visit, `-/${below}`), name }))
  const alert =
    problem !== undefined && html`<p class="result failed" tabindex="-1" autofocus role="alert">${problem}</p>\n`
  await readEditScript()
  const made = await guidePage(guide, {
    title: `${title}`,
    kind: 'edit',
    below: undefined,
    path,
    tabs: html`<nav class="subnav" aria-label="${words.pages.edit}"><ul>
${links.map(link => navigationItem(link, path))}</ul></nav>
`,
    main: html`<article class="prose edit"><h1>${title}</h1>
${alert}${main}</article>`,
    isWide: true,
    referrer: 'same-origin',
    ...(nonce !== undefined && { nonce }),
    ...(id !== undefined && { id }),
  })
  return { ...ownPage(await withFonts(guide, made)), status: status ?? (problem === undefined ? 200 : 422) }
}

/** The names of the lists that people edit. */
export function listNames({ sections, edit }: Words): Readonly<Record<Exclude<Target['kind'], 'page'>, Word>> {
  return { colors: sections.colors, types: sections.type, files: sections.files, project: edit.settings }
}

/** The name of a list, or of a page: its title, else the name in the guide, else its path. */
async function nameOf({ guide, words }: GuideVisit, { target, opened, sent }: EditPage): Promise<string> {
  if (target.kind !== 'page') return `${listNames(words)[target.kind]}`
  const pages = Array.from((await guide.publication.content.pages()).values())
  const title = sent?.get('/title')?.[0] ?? textOf(partOf({ name: 'title' }, opened?.yaml?.root))
  return title || pages.find(({ id }) => id === idOf(target))?.name || target.path
}

async function fileForm(visit: GuideVisit, page: EditPage, nonce: string): Promise<Html> {
  const { context, guide, words } = visit
  const { edit } = words
  const { target, opened, base = '', sent = new Map(), saveId = context.newId(), summary = '' } = page
  const isPage = target.kind === 'page'
  const text = sent.get(BODY)?.[0] ?? opened?.body ?? ''
  const lang = (await guide.publication.content.lang()) ?? 'en'
  const source = isPage && (await sourceData(visit, target, text, nonce))
  const picture = `${editAddress(visit, '-/picture')}?${new URLSearchParams({ page: idOf(target) })}`
  const ofText =
    isPage &&
    html`<a class="button" href="${picture}" data-picture>${edit.addPicture}</a> <button name="do" value="preview" formtarget="preview" class="quiet">${edit.preview}</button> `
  const isMerged = !isPage && opened && opened.file !== base
  const merged = isMerged && html`<input type="hidden" name="opened" value="${JSON.stringify(opened.file)}">\n`
  const fields = html`<input type="hidden" name="base" value="${JSON.stringify(base)}">
<input type="hidden" name="save" value="${saveId}">
${merged}${valuesHtml(visit, page)}${opened?.body !== undefined && textHtml(stateOf(visit, page), text, lang, source)}
<p class="field"><label for="summary">${edit.summary}</label> <input id="summary" name="summary" value="${summary}" maxlength="72" autocomplete="off"></p>
<p class="actions">${button('save', edit.save, { isPrimary: true })} ${ofText}<button name="do" value="cancel" formnovalidate class="quiet">${edit.cancel}</button></p>`
  return formHtml(tokenOf(visit), fields, html` id="edit" data-edit="${target.path}"`)
}

function stateOf({ words }: GuideVisit, { sent = new Map(), problems = new Map() }: EditPage): FormState {
  const opened = new Set([...problems.keys()].flatMap(foldersAbove))
  return { words, sent, problems, opened, removed: new Set(sent.get(REMOVE)) }
}

/** The fields of the values in a file, of which a page shows the less usual ones on demand; why there are none. */
function valuesHtml(visit: GuideVisit, page: EditPage): Html | undefined {
  const { words } = visit
  const { target, opened, problems = new Map() } = page
  if (!opened?.yaml)
    return opened?.problem === undefined
      ? undefined
      : html`<p class="quiet">${words.edit.asText} ${inEnglish(words, opened.problem)}</p>\n`
  const { root } = opened.yaml
  const state = stateOf(visit, page)
  const fields = fieldsOfFile(target.kind, words)
  if (target.kind !== 'page') return html`${fieldsHtml(state, fields, root)}`
  const [first, more] = [true, false].map(isFirst => fields.filter(({ name }) => FIRST.includes(name) === isFirst))
  const isOpen = more?.some(({ name }) => [...problems.keys()].some(each => each.startsWith(`/${name}`)))
  return html`${fieldsHtml(state, first ?? [], root)}<details class="fields"${isOpen && html` open`}><summary>${words.edit.more}</summary>
${fieldsHtml(state, more ?? [], root)}</details>
`
}

const FIRST: readonly string[] = ['title', 'description', 'cover']

/** Both versions of the places that two people changed, side by side. Browsers save only once the person decided. */
function conflictHtml({ edit }: Words, passages: readonly Passage[]): Html {
  const rows = passages
    .filter(passage => mergedText(passage) === undefined)
    .map(
      ({ mine, theirs }) =>
        html`<tr><td><pre dir="auto">${mine}</pre></td><td><pre dir="auto">${theirs}</pre></td></tr>\n`,
    )
  return html`<div class="result warned" tabindex="-1" autofocus role="alert"><p>${edit.conflict}</p>
<table><thead><tr><th scope="col">${edit.mine}</th><th scope="col">${edit.theirs}</th></tr></thead>
<tbody>
${rows}</tbody></table>
<p><label><input type="checkbox" name="decided" form="edit" required> ${edit.decided}</label></p></div>
`
}

/** Removes the page, once its box is ticked. */
function deletion(visit: GuideVisit, { base = '' }: EditPage): Html {
  const { edit } = visit.words
  const fields = html`<input type="hidden" name="base" value="${JSON.stringify(base)}">
<p><label><input type="checkbox" name="sure" value="yes" required> ${edit.sure}</label></p>
<p>${button('delete', edit.deletePage)}</p>`
  return html`<details class="fields"><summary>${edit.deletePage}</summary>
${formHtml(tokenOf(visit), fields)}</details>
`
}
