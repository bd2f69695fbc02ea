import type { Admission } from '../../access/share/share-verifier.ts'
import { perObject } from '../../base/object.ts'
import type { EditLinks } from '../../brand/edit-link.ts'
import { type BrandFile, isFont } from '../../brand/file.ts'
import type { ProjectRef } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import type { FontReader } from '../../fonts/font-reader.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { FindEarlier, ListKnown } from '../../serving/publications/earlier.ts'
import { hasLibrary } from '../../serving/publications/library.ts'
import type { ListOldFiles } from '../../serving/publications/old-files.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { Assets } from '../assets.ts'
import type { Renderer } from '../markdown/renderer.ts'
import type { Words } from '../words/words.ts'
import { type Branch, pageTree } from './page-tree.ts'

/** One revision of a project, or its draft, as the website shows it. */
export type Guide = {
  publication: Publication
  workspace: string
  /** Whether its reader has a token, which also opens private revisions. */
  hasToken: boolean
  signedIn?: SignedIn | undefined
  /** The share link that its reader used; undefined for other readers. */
  link?: Admission['link'] | undefined
  /** Addresses as paths, so that links work under every host name of the service. */
  paths: Addresses
  /** Absolute addresses, for files that are read elsewhere. */
  urls: Addresses
  assets: Assets
  /** Renders Markdown as safe HTML. Its links must already be addresses. */
  render: Renderer['render']
  fontFacts: FontReader['facts']
  fontSubset: FontReader['subset']
  /** Opens a file, or a part of it: the places of its first and last byte. */
  open: (file: BrandFile, part?: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>
  /** Finds the links for editing its files; undefined if it has none. */
  editLinks: (project: ProjectRef) => Promise<EditLinks | undefined>
  /**
   * The path before that of the editor for a project of a workspace with an edit address; undefined if no editor is on
   * for it. Absent for copies.
   */
  editorPath?: ((workspace: string, template: string) => string | undefined) | undefined
  /** Finds the note of the revision, and the earlier one that readers may compare it with. */
  earlier: FindEarlier
  /** Lists the revisions that readers know of. */
  revisions: ListKnown
  /** Lists the earlier versions of files. */
  oldFiles: ListOldFiles
  words: Words
  /** Set for a guide that is copied to a folder; undefined for a served one. */
  copy: GuideCopy | undefined
}

/**
 * A reader who is signed in. `signOut` is the address of the button that signs out, with a query; `manage` that of the
 * page for people who manage the project, and `sessions` that of the page for people with sessions.
 */
type SignedIn = {
  name: string | undefined
  signOut: string
  manage?: string | undefined
  sessions?: string | undefined
}

/** A copy of a guide in a folder, of a draft or of a revision. It cannot request anything outside the folder. */
export type GuideCopy = { isDraft: boolean }

/** The path below `/-/` of a section other than the pages. */
export type Section = keyof Words['sections']

/** The path of a section, or of anything else in a guide that is not a page: `/acme/guide/-/colors`. */
export function pathBelow({ publication, paths }: Pick<Guide, 'publication' | 'paths'>, name: string): string {
  return `${paths.project(publication.record)}/-/${name}`
}

/** Whether a path is below that of a section: a list of files of one kind, or the page of a file. */
export function isInSection(guide: Guide, section: Section, path: string): boolean {
  const starts = section === 'files' ? ['files', 'file'] : [section]
  return starts.some(start => path.startsWith(`${pathBelow(guide, start)}/`))
}

/** Whether a guide is a draft: the served draft of a project, or a copy of one. */
export function isDraft({ publication, copy }: Pick<Guide, 'publication' | 'copy'>): boolean {
  return copy?.isDraft === true || publication.record.draftOf !== undefined
}

/**
 * Whether a guide has a page of changes: since an earlier revision, or for a draft since the published one. Only its
 * revision decides, so that cached pages stay correct.
 */
export function hasChanges({ publication: { record, published } }: Guide): boolean {
  return record.draftOf ? record.draftOf.published !== undefined : published.revision > 1
}

/** The pages of a guide as a tree, built once for a snapshot and cached with its content. */
export async function treeOf({ publication }: Guide): Promise<readonly Branch[]> {
  const { content } = publication
  return treeOfPages(await content.pages(), content)
}

const treeOfPages = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  grow(pages.size * BRANCH_BYTES)
  return pageTree(pages.values())
})

/** Memory per page, in the tree and in its index. */
const BRANCH_BYTES = 300

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
