import { isFont } from '../../brand/file.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { Publication } from '../../serving/publications.ts'
import type { Assets } from '../assets.ts'
import type { Renderer } from '../markdown/renderer.ts'
import { type Branch, pageTree, sizeOf } from './page-tree.ts'

/** One revision of a project, as the website shows it. */
export type Guide = {
  publication: Publication
  /** The name of the workspace. */
  workspace: string
  /** Addresses as paths: links lead on wherever the service is reached. */
  paths: Addresses
  /** Whole addresses, for what is read elsewhere. */
  urls: Addresses
  assets: Assets
  /** WorkQueue Markdown, whose links are addresses, into safe HTML. */
  render: Renderer['render']
}

/** The parts of a guide beside its pages, by the name below `/-/`. */
export const SECTIONS = { colors: 'Colours', type: 'Type', files: 'Files' } as const

/** The name of a part of a guide beside its pages. */
export type Section = keyof typeof SECTIONS

/** The address of something of the guide that is no page, as a path: `/acme/guide/-/colors`. */
export function pathBelow({ publication, paths }: Guide, name: string): string {
  return `${paths.project(publication.record)}/-/${name}`
}

/** The name of a guide in full: that of the project, behind that of the workspace where it does not begin with it. */
export function guideName({ publication, workspace }: Pick<Guide, 'publication' | 'workspace'>): string {
  const { name } = publication.published
  return name.toLowerCase().startsWith(workspace.toLowerCase()) ? name : `${workspace} – ${name}`
}

/** The pages of a guide as a tree, made once for a snapshot, whose content it is kept with. */
export async function treeOf({ publication }: Guide): Promise<readonly Branch[]> {
  const { content } = publication
  const pages = await content.pages()
  const known = trees.get(pages)
  if (known) return known
  const making = pageTree(pages.values()).then(tree => {
    content.grow(sizeOf(tree) * BRANCH_BYTES)
    return tree
  })
  trees.set(pages, making)
  return making
}

const trees = new WeakMap<object, Promise<readonly Branch[]>>()

/** What a place takes, with what lists it. */
const BRANCH_BYTES = 300

/** The parts that a guide has something in. */
export async function filledSections({ publication }: Guide): Promise<Section[]> {
  const { colors, types, files } = publication.content
  const [colorList, typeList, fileMap] = await Promise.all([colors(), types(), files()])
  const hasFont = fileMap.values().some(isFont)
  return [
    ...(colorList.length > 0 ? (['colors'] as const) : []),
    ...(typeList.length > 0 || hasFont ? (['type'] as const) : []),
    ...(fileMap.size > 0 ? (['files'] as const) : []),
  ]
}
