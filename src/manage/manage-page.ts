import type { Reply } from '../exchange/message.ts'
import { NO_SNIFF, NO_STORE } from '../exchange/reply.ts'
import { draftProject } from '../serving/pointers/pointers.ts'
import type { Representation } from '../serving/replies/response-cache.ts'
import type { Guide } from '../site/guide/guide.ts'
import { openGuide } from '../site/guide-reply.ts'
import { type Html, html, type Word } from '../site/html.ts'
import { introductionLinks, introductionOf } from '../site/introduction.ts'
import { htmlDocument, pageRepresentation, signoutTargets } from '../site/layout/document.ts'
import { guidePage } from '../site/layout/layout.ts'
import { withFonts } from '../site/library/with-fonts.ts'
import { standaloneMain } from '../site/pages/standalone-page.ts'
import type { Words } from '../site/words/words.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import type { ManageContext, Managed } from './context.ts'
import { unshared } from './form.ts'

/** The guide whose theme and language the manage pages of a project have: the published one, or the draft until then. */
export function managedGuide(context: ManageContext, managed: Managed): Promise<Guide> {
  return managed.record.published ? guideOf(context, managed, managed.record) : draftGuide(context, managed)
}

/** The draft of a project, with addresses that only people with access to it can open. */
export function draftGuide(context: ManageContext, managed: Managed): Promise<Guide> {
  return guideOf(context, managed, draftProject(managed.record))
}

async function guideOf({ site }: ManageContext, { person }: Managed, record: ProjectRecord): Promise<Guide> {
  const { name = record.workspace } = (await site.service.pointers.workspace(record.workspace)) ?? {}
  const publication = site.service.openPublication(record)
  if (!publication) throw new Error('a guide is published, or a draft')
  return openGuide(site, publication, name, { person })
}

type ManagePage = {
  title: Word
  /** The path below the project's. */
  below: string
  /** The content after the heading. */
  main: Html
  /** 200 by default. */
  status?: number | undefined
}

/** Replies with a page of a guide that only one person sees, with the navigation of all manage pages. */
export async function managePage(
  { site }: ManageContext,
  guide: Guide,
  { title, below, main, status }: ManagePage,
): Promise<Reply> {
  const { record } = guide.publication
  const home = `${site.base}/${record.workspace}/${record.project}`
  const { manage } = guide.words
  const links: readonly ManageLink[] = [
    [`${home}/-/manage`, manage.publishing],
    [`${home}/-/manage/history`, manage.history],
    [`${home}/-/manage/links`, manage.share.title],
    [`${home}/-/manage/usage`, manage.usage],
    [`${site.base}/${record.workspace}/-/manage`, manage.people.title],
    [guide.site.paths.project(record), manage.toGuide],
  ]
  const made = await guidePage(guide, {
    title: `${title}`,
    kind: 'manage',
    below: undefined,
    path: home + below,
    main: html`${manageLinks(guide.words, links, home + below)}<article class="prose manage"><h1>${title}</h1>
${main}</article>`,
    referrer: 'same-origin',
  })
  return ownPage(await withFonts(guide, made), status)
}

type WorkspacePage = {
  title: Word
  /** The content after the heading and the link to the workspace. */
  content: Html
  /** 200 by default. */
  status?: number | undefined
}

/** Replies with a page of a workspace that only one person sees. Its forms may sign the person out. */
export async function workspacePage(
  { site }: ManageContext,
  { lang }: Pick<Words, 'lang'>,
  workspace: string,
  { title, content, status }: WorkspacePage,
): Promise<Reply> {
  const { service, assets, base } = site
  const introduction = await introductionOf(site, workspace)
  const name = introduction?.name ?? (await site.service.profileOf(workspace))?.name ?? workspace
  const text = html`<div class="manage">
<p><a href="${base}/${workspace}"><bdi>${name}</bdi></a></p>
${content}</div>`
  const sheet = html`<link rel="stylesheet" href="${assets.path('alone.css')}">\n`
  const more = html`${sheet}${introduction && introductionLinks(assets, introduction)}`
  const head = { title: `${title} – ${name}`, kind: 'manage', lang, more } as const
  const document = htmlDocument(assets, head, standaloneMain(introduction, html`<h1>${title}</h1>`, text))
  const formTargets = signoutTargets(service.access.publicUrl)
  const policies = { kind: 'manage', referrer: 'same-origin', formTargets } as const
  return ownPage(pageRepresentation(assets, document, [], policies), status)
}

/** A moment with its time in UTC. */
export function timeHtml(words: Words, moment: Date | string): Html {
  const date = new Date(moment)
  return html`<time datetime="${date.toISOString()}">${words.time(date)}</time>`
}

type ManageLink = readonly [path: string, name: Word]

function manageLinks({ manage }: Words, links: readonly ManageLink[], current: string): Html {
  const item = ([path, name]: ManageLink) =>
    html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${name}</a></li>\n`
  return html`<nav class="managing" aria-label="${manage.title}"><ul>
${links.map(item)}</ul></nav>
`
}

/**
 * Replies with a page that only one person sees: no cache keeps it, and no frame shows it. If it has forms, its referrer
 * policy must be `same-origin`, so that they state their origin: `referrer` of `guidePage` and of `pageHandling`.
 */
export function ownPage({ bytes, type }: Representation, status = 200): Reply {
  return unshared({ status, headers: [...type, ...NO_STORE, ...NO_SNIFF], hasOwnHeaders: true, body: bytes })
}
