import type { Entry } from './source.ts'

/** What the files of one source say about it as a whole. */
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
  /** The names of pages in the navigation by path in the source. */
  labels: ReadonlyMap<string, string>
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

/** The facts of each source, and those of the first that has a name. */
export type SourceFacts = { of: (entry: Entry) => SiteFacts; named: Pick<SiteFacts, 'name' | 'contact' | 'logo'> }

/** Reads the facts of all sources from their files. */
export async function siteFacts(entries: readonly Entry[]): Promise<SourceFacts> {
  const all = new Map<string, SiteFacts>()
  for (const [label, own] of Map.groupBy(entries, entry => entry.label)) all.set(label, await factsOf(own))
  return {
    of: ({ label }) => all.get(label) ?? NO_FACTS,
    named: [...all.values()].find(({ name }) => name !== undefined) ?? NO_FACTS,
  }
}

const NO_FACTS: SiteFacts = {
  root: '',
  baseUrl: '',
  publicRoots: [],
  order: new Map(),
  labels: new Map(),
  variables: new Map(),
}

async function factsOf(_entries: readonly Entry[]): Promise<SiteFacts> {
  return NO_FACTS
}
