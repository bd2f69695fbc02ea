import type { Document, PageMeta } from '#adopt/document.ts'
import { placeOnSite, type SiteFacts } from '#adopt/sources/facts.ts'
import { NO_GENERATOR } from '#adopt/sources/generators/generator.ts'
import { GENERATORS } from '#adopt/sources/generators/table.ts'
import { WHOLE_MENU } from '#adopt/sources/order.ts'
import { sourceEntry } from '../source-entry.ts'

/** The facts of a source that says nothing about itself. */
export const FACTS: SiteFacts = {
  generator: NO_GENERATOR,
  hasFuture: false,
  settings: '',
  root: '',
  roots: [],
  baseUrl: '',
  publicRoots: [],
  languages: new Set(),
  logos: [],
  darkLogos: [],
  icons: [],
  color: '',
  order: new Map(),
  labels: new Map(),
  groups: new Map(),
  menu: WHOLE_MENU,
  variables: new Map(),
  codeFolders: new Set(),
  hidings: [],
}

export function generatorNamed(name: string) {
  return { ...NO_GENERATOR, ...GENERATORS.find(row => row.name === name) }
}

/** A converted page at a path of a source. */
export function sourcePage(
  path: string,
  meta: Partial<PageMeta> = {},
  own: Partial<SiteFacts> = {},
  { label = '', text = '' } = {},
): Document {
  const notes = { converted: [], lost: [], guessed: [] }
  const content = { text, lines: [], meta: { aliases: [], ...meta }, notes, pictures: [], tables: [] }
  const facts = { ...FACTS, ...own }
  return { ...content, entry: sourceEntry(path, '', label), facts, ...placeOnSite(path, facts) }
}
