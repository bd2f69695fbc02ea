import { isFont } from '#brand/file.ts'
import { HOME_PAGE, type Page } from '#brand/page.ts'
import { perObject } from '#platform/base/object.ts'
import type { Waiting } from '#serving/access/session/waiting.ts'
import type { Admission } from '#serving/access/share/share-verifier.ts'
import { hasLibrary } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Site } from '../site.ts'
import type { Words } from '../words/words.ts'
import { type Branch, pageTree } from './page-tree.ts'

/** One revision of a project, or its draft, as the website shows it. */
export type Guide = {
  site: Site
  publication: Publication
  workspace: string
  words: Words
  /** Its original and other translations that its reader may see. */
  languages: readonly Publication[]
  /** Whether its reader may also see private revisions, as with a token. */
  hasToken: boolean
  signedIn?: SignedIn | undefined
  /** The share link that its reader used; undefined for other readers. */
  link?: Admission['link'] | undefined
}

/**
 * A reader who is signed in. `signOut` is the address of the button that signs out, with a query; `manage` that of the
 * page for people who manage the project or the workspace, and `sessions` that of the page for people with sessions.
 */
export type SignedIn = {
  home: string
  name: string | undefined
  signOut: string
  manage?: string | undefined
  /** The address before that of each page in the editor, for people who may edit the project. */
  edit?: string | undefined
  sessions?: string | undefined
  /** The number of drafts of the workspace that wait for them, and that of this guide. */
  waiting: { count: number; own: Waiting | undefined }
}

/** The original of a guide that is a translation, if its reader may see it. */
export async function originalIn({ publication, languages }: Guide): Promise<Publication | undefined> {
  const of = (await publication.content.translation())?.of
  return languages.find(({ record }) => record.project === of)
}

/** The path below `/-/` of a section other than the pages. */
export type Section = keyof Words['sections']

/**
 * The path of a section, or of anything else in a guide that is not a page: `/acme/guide/-/colors`. Style sheets and
 * fonts are at the host of the page.
 */
export function pathBelow({ site, publication }: Pick<Guide, 'site' | 'publication'>, name: string): string {
  const { below, part } = site.paths
  return (LOADED.test(name) ? part : below)(publication.record, `/-/${name}`)
}

/** The part of a path within a guide after that of the guide: `/-/colors` of `/acme/guide/-/colors`. */
export function partInGuide({ site, publication }: Pick<Guide, 'site' | 'publication'>, path: string): string {
  return path.slice(site.paths.below(publication.record, '').length)
}

/** Files that pages load, such as `theme.css` or `fonts/acme.woff2`. */
const LOADED = /\.css$|^fonts\//

/** The query of an address with these values, always in the same form: `?text=ink&ground=paper`; empty without any. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, `${value}`)
  return query.size === 0 ? '' : `?${query}`
}

/** Whether a path is below that of a section: a list of files, the page of a folder or of a file. */
export function isInSection(guide: Guide, section: Section, path: string): boolean {
  const starts = section === 'files' ? ['files', 'folder', 'file'] : [section]
  return starts.some(start => path.startsWith(`${pathBelow(guide, start)}/`))
}

/** Whether a guide is a draft: the served draft of a project, or a copy of one. */
export function isDraft({ site, publication }: Pick<Guide, 'site' | 'publication'>): boolean {
  return site.copy?.isDraft === true || publication.record.draftOf !== undefined
}

/**
 * Whether a guide has a page of changes: since an earlier revision, or for a draft since the published one. Only its
 * revision decides, so that cached pages stay correct.
 */
export function hasChanges({ publication: { record, published } }: Guide): boolean {
  return record.draftOf ? record.draftOf.published !== undefined : published.revision > 1
}

/** All pages of a guide as a tree in the order of its book, built once for a snapshot and cached with its content. */
export async function treeOf({ publication }: Pick<Guide, 'publication'>): Promise<readonly Branch[]> {
  const { content } = publication
  return treesOfPages(await content.pages(), content).all
}

/** The tree of the pages that menus and lists offer. */
export async function menuOf({ publication }: Pick<Guide, 'publication'>): Promise<readonly Branch[]> {
  const { content } = publication
  return treesOfPages(await content.pages(), content).menu
}

const treesOfPages = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  grow(2 * pages.size * BRANCH_BYTES)
  const home = pages.get(HOME_PAGE)
  const inOrder = home ? [home, ...pages.values()] : [...pages.values()]
  return { all: pageTree(inOrder), menu: pageTree(inOrder.filter(isInMenus)) }
})

/** Whether menus and lists offer a page; search and links lead to each. */
export function isInMenus({ nav }: Page): boolean {
  return nav !== false
}

/** Memory per page, in the tree and in its index. */
const BRANCH_BYTES = 300

/** The sections for which a guide has content, in order. */
export async function filledSections({ publication }: Pick<Guide, 'publication'>): Promise<Section[]> {
  const { hasColors, hasTypes, files } = publication.content
  const isFilled = {
    colors: await hasColors(),
    type: (await hasTypes()) || (await files()).values().some(isFont),
    files: await hasLibrary(publication.content),
  }
  const names: readonly Section[] = ['colors', 'type', 'files']
  return names.filter(name => isFilled[name])
}
