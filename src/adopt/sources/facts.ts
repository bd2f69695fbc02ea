import type { Entry } from './source.ts'

/** What the files of a source say about it as a whole. */
export type SiteFacts = {
  /** The program that makes a website of it; undefined if none is known. */
  generator?: Generator | undefined
  /** The folder that is dropped from the paths of pages, such as `docs`; empty for none. */
  root: string
  /** The path before all addresses of the site, such as `/brand`; empty for none. */
  baseUrl: string
  /** The folders that are at the root of the site, such as `static`, in the order in which an address is looked up. */
  publicRoots: readonly string[]
  name?: string | undefined
  contact?: string | undefined
  /** A path in the source. */
  logo?: string | undefined
  /** The order of pages and folders by path in the source. */
  order: ReadonlyMap<string, number>
  /** The values of template variables by name, such as `site.title`. */
  variables: ReadonlyMap<string, string>
}

type Generator =
  | 'docusaurus'
  | 'starlight'
  | 'mkdocs'
  | 'jekyll'
  | 'hugo'
  | 'gatsby'
  | 'next'
  | 'eleventy'
  | 'vuepress'
  | 'gitbook'
  | 'obsidian'
  | 'notion'
  | 'confluence'
  | 'google-docs'

export async function siteFacts(_entries: readonly Entry[]): Promise<SiteFacts> {
  return { root: '', baseUrl: '', publicRoots: [], order: new Map(), variables: new Map() }
}
