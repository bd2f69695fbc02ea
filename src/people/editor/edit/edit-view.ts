import { HOME_PAGE } from '#brand/page.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { navigationItem } from '#site/layout/header.ts'
import { guidePage } from '#site/layout/layout.ts'
import { withFonts } from '#site/library/with-fonts.ts'
import { readEditScript } from '#site/script/edited/edit-script.ts'
import type { Words } from '#site/words/words.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { formToken } from '../../manage/context.ts'
import { button, formHtml as formOf } from '../../manage/form.ts'
import { ownPage } from '../../manage/manage-page.ts'
import { fieldsOfFile, inEnglish } from '../fields.ts'
import type { EditedText } from '../source/edited-text.ts'
import type { Editor } from './context.ts'
import type { EditedProject } from './edited-project.ts'
import { type FormState, fieldsHtml, textHtml } from './form-html.ts'
import { BODY, partOf, REMOVE, type Sent, textOf } from './form-parts.ts'
import { sourceData } from './source-data.ts'
import { mayDelete, type Target } from './target.ts'

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
  problem?: Word
  /** Problems by the names of their fields. */
  problems?: ReadonlyMap<string, Word>
  conflict?: Html
  saved?: Html | undefined
  status?: 403 | 409 | 422
}

/** Replies with the page of a form. Only the person who edits sees it. */
export async function editPage(
  context: Editor,
  edited: EditedProject,
  request: Request,
  page: EditPage,
): Promise<Reply> {
  const { guide } = edited
  const { target, problem, conflict, saved, status = 200 } = page
  const { edit } = guide.words
  const title = edit.title({ page: await nameOf(guide, page) })
  const result = problem !== undefined && alert(`${page.base === undefined ? '' : `${edit.nothingSaved} `}${problem}`)
  const invalid = (page.problems?.size ?? 0) > 0 && !problem && alert(`${edit.invalid}`)
  const nonce = context.newId()
  const form = page.opened && (await formHtml(context, edited, page, nonce))
  const main = html`${saved}${!saved && page.opened && isWaiting(edited.record) && html`<p class="quiet">${edit.differs}</p>\n`}${conflict}${result}${invalid}${form}${page.opened && mayDelete(target) && deletion(context, edited, page)}`
  const id = target.kind === 'page' ? target.shown.slice(1) || HOME_PAGE : undefined
  return layoutPage(context, guide, request, { title, main, status, id, nonce })
}

type LayoutPage = { title: Word; main: Html; status: number; id?: string | undefined; nonce?: string }

/** Replies with a page of the editor in the layout of its guide. */
export async function layoutPage(
  context: Editor,
  guide: Guide,
  request: Request,
  { title, main, status, id, nonce }: LayoutPage,
): Promise<Reply> {
  const { site } = context.manage
  const { record } = guide.publication
  const start = site.here(`/${record.workspace}/${record.project}/-/edit/-`)
  const { edit, sections } = guide.words
  const links = [
    [`${start}/new`, edit.newPage],
    [`${start}/colors`, sections.colors],
    [`${start}/types`, sections.type],
    [`${start}/files`, sections.files],
    [`${start}/project`, edit.settings],
  ] as const
  const path = site.here(request.path)
  await readEditScript()
  const made = await guidePage(guide, {
    title: `${title}`,
    kind: 'edit',
    below: undefined,
    path,
    tabs: html`<nav class="subnav" aria-label="${guide.words.pages.edit}"><ul>
${links.map(([to, name]) => navigationItem({ name, path: to }, path))}</ul></nav>
`,
    main: html`<article class="prose edit"><h1>${title}</h1>
${main}</article>`,
    isWide: true,
    referrer: 'same-origin',
    ...(nonce !== undefined && { nonce }),
    ...(id !== undefined && { id }),
  })
  return { ...ownPage(await withFonts(guide, made)), status }
}

/** Removes the page, once its box is ticked. */
function deletion({ manage }: Editor, { guide, sender }: EditedProject, { base = '' }: EditPage): Html {
  const { edit } = guide.words
  const fields = html`<input type="hidden" name="base" value="${JSON.stringify(base)}">
<p><label><input type="checkbox" name="sure" value="yes" required> ${edit.sure}</label></p>
<p>${button('delete', edit.deletePage)}</p>`
  return html`<details class="fields"><summary>${edit.deletePage}</summary>
${formOf(formToken(manage, sender), fields)}</details>
`
}

/** Says what went wrong, where screen readers begin. */
export function alert(text: Word | string): Html {
  return html`<p class="result failed" tabindex="-1" autofocus role="alert">${text}</p>\n`
}

const LISTS: Readonly<Record<Exclude<Target['kind'], 'page'>, (words: Words) => Word>> = {
  colors: words => words.sections.colors,
  types: words => words.sections.type,
  files: words => words.sections.files,
  project: words => words.edit.settings,
}

/** The name of a list, or of a page: its title, else the name in the guide, else its path. */
async function nameOf({ words, publication }: Guide, { target, opened, sent }: EditPage): Promise<string> {
  if (target.kind !== 'page') return `${LISTS[target.kind](words)}`
  const id = target.shown.slice(1) || HOME_PAGE
  const named = Array.from((await publication.content.pages()).values()).find(page => page.id === id)
  return (
    (sent?.get('/title')?.[0] ?? textOf(partOf({ name: 'title' }, opened?.yaml?.root))) || named?.name || target.path
  )
}

async function formHtml(context: Editor, edited: EditedProject, page: EditPage, nonce: string): Promise<Html> {
  const { guide, sender } = edited
  const { words } = guide
  const {
    target,
    opened,
    base = '',
    sent = new Map(),
    problems = new Map(),
    saveId = context.newId(),
    summary = '',
  } = page
  const { body = '', yaml } = opened ?? {}
  const text = sent.get(BODY)?.[0] ?? body
  const lang = (await guide.publication.content.lang()) ?? 'en'
  const source = target.kind === 'page' && (await sourceData(edited, target, text, nonce))
  const above = new Set([...problems.keys()].flatMap(foldersAbove))
  const state: FormState = { words, sent, problems, opened: above, removed: new Set(sent.get(REMOVE)) }
  const fields = yaml ? fieldsOfFile(target.kind, words) : []
  const [first, more] =
    target.kind === 'page'
      ? [true, false].map(isFirst => fields.filter(({ name }) => FIRST.includes(name) === isFirst))
      : [fields]
  const isOpen = more?.some(({ name }) => [...problems.keys()].some(each => each.startsWith(`/${name}`)))
  const others =
    yaml &&
    more &&
    html`<details class="fields"${isOpen && html` open`}><summary>${words.edit.more}</summary>
${fieldsHtml(state, more, yaml.root)}</details>
`
  const isMerged = target.kind !== 'page' && opened && opened.file !== base
  const notice =
    opened?.problem !== undefined &&
    html`<p class="quiet">${words.edit.asText} ${inEnglish(words, opened.problem)}</p>\n`
  return html`<form method="post" data-edit="${target.path}">
<input type="hidden" name="token" value="${formToken(context.manage, sender)}">
<input type="hidden" name="base" value="${JSON.stringify(base)}">
<input type="hidden" name="save" value="${saveId}">
${
  isMerged &&
  html`<input type="hidden" name="opened" value="${JSON.stringify(opened?.file)}">
`
}${notice}${yaml && fieldsHtml(state, first, yaml.root)}${others}${opened?.body !== undefined && textHtml(state, text, lang, source)}
<p class="field"><label for="summary">${words.edit.summary}</label> <input id="summary" name="summary" value="${summary}" maxlength="72" autocomplete="off"></p>
<p class="actions"><button name="do" value="save" class="primary">${words.edit.save}</button> ${
    target.kind === 'page' &&
    html`<a class="button" href="${pictureAddress(context, edited, target)}" data-picture>${words.edit.addPicture}</a> <button name="do" value="preview" formtarget="preview" class="quiet">${words.edit.preview}</button> `
  }<button name="do" value="cancel" formnovalidate class="quiet">${words.edit.cancel}</button></p>
</form>
`
}

function pictureAddress({ manage: { site } }: Editor, { record }: EditedProject, { shown }: Target): string {
  const query = new URLSearchParams({ page: shown.slice(1) || HOME_PAGE })
  return site.here(`/${record.workspace}/${record.project}/-/edit/-/picture?${query}`)
}

const FIRST: readonly string[] = ['title', 'description', 'cover']
