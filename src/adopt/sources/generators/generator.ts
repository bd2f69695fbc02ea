import { wordSet, wordsIn } from '#platform/base/text.ts'
import type { Rule } from '../ignore-rules.ts'
import type { Settings } from '../settings.ts'

export const ADDRESS_KEYS = ['permalink', 'slug', 'url', 'aliases', 'alias', 'redirect_from', 'redirectFrom']

/** A program that makes a website of files, or a service that exports them: all that `adopt` knows about it. */
export type Generator = {
  name: string
  /** Gives the folder that its paths begin at, by the path of a file that shows it; none for other files. */
  sign: Sign
  /** The file beside it with the settings, if it has none itself. */
  settings?: string
  /** The folders that it writes websites into. */
  outputs?: readonly string[]
  /** The folders of pages from there, or in a setting. */
  roots: readonly string[]
  rootsIn?: string
  /** Folders of collections of pages; if a folder has only one, that is no step of an address. */
  collections?: readonly string[]
  /** Whether pages elsewhere are not on the site. */
  isWhole?: boolean
  /** The name of a part that is the root, whatever the settings say. */
  rootOf?: (paths: readonly string[]) => string | undefined
  /** What templates write before the names of settings, such as `site.`, and the setting that these names begin at. */
  variables?: Readonly<Record<string, string>>
  /** The file or folder with further values for templates, and what these write before the names. */
  values?: readonly [path: string, before: string]
  /** Whether pages and their layouts are templates in Liquid. */
  isLiquid?: boolean
  /** Names of files with the order of what is in their folder, or of the site. */
  order?: ReadonlySet<string>
  /** Names of fields with the navigation, in the settings. */
  nav?: readonly string[]
  /** Whether its menu has no other pages than those that settings and files give an order. */
  hasMenu?: boolean
  /** Whether only pages with an order are on the site. */
  isListed?: boolean
  /** Names of files that only show other pages, with the reason why they are none. */
  parts?: readonly (readonly [names: ReadonlySet<string>, reason: string])[]
  /** The names of the index of a folder, in small letters. */
  index?: ReadonlySet<string>
  /** The words of a name; empty if it has no meaning. */
  words?: (name: string) => string
  /** Front matter keys with addresses of a page, if they are others than usual; relative ones begin at its folder. */
  addressKeys?: readonly string[]
  isRelative?: boolean
  /** Whether `.md` is MDX. */
  isMdx?: boolean
  /** Whether only search engines see the description of a page. */
  hidesDescription?: boolean
  /** Whether a wiki link has its text first. */
  isTextFirst?: boolean
  /** Whether pages with a date in the future are on the site. */
  hasFuture?: boolean
  /** The folder of pages whose names begin with their day. */
  dated?: string
  /** Whether pages whose names begin with `_` are only parts of others. */
  hasParts?: boolean
  /** Rules for what settings keep off the site, by the names of these settings. */
  hides?: Readonly<Record<string, Hides>>
  /** A field and its value in an entry that a file with the order of its folder hides. */
  hidesEntries?: readonly [field: string, value: string]
  /** Why its pages are not read. */
  unread?: string
}

/** A generator with values for all that its row does not say. */
export type SiteGenerator = Required<Generator>

export type Sign = (path: string) => readonly string[]

/** The usual names of the index of a folder. */
export const INDEXES = wordSet('index _index readme')

/** The generator of a source that shows none. */
export const NO_GENERATOR: SiteGenerator = {
  name: '',
  sign: () => [],
  settings: '',
  outputs: [],
  roots: [],
  rootsIn: '',
  collections: [],
  isWhole: false,
  rootOf: () => undefined,
  variables: {},
  values: ['', ''],
  isLiquid: false,
  order: new Set(),
  nav: [],
  hasMenu: false,
  isListed: false,
  parts: [],
  index: INDEXES,
  words: name => name,
  addressKeys: ADDRESS_KEYS,
  isRelative: false,
  isMdx: false,
  hidesDescription: false,
  isTextFirst: false,
  hasFuture: false,
  dated: '',
  hasParts: false,
  hides: {},
  hidesEntries: ['', ''],
  unread: '',
}

/** Reads the setting `key`; the pages are below `root`. */
export type Hides = (settings: Settings, key: string, root: string) => Rule[]

/** Removes what exports add to the names of files and folders in a path. */
export function withoutExportIds(path: string): string {
  return path.replaceAll(/ [0-9a-f]{32}(?![^/._])/g, '')
}

/** A text, or none for those that the starters of generators have instead of a name, a description or an address. */
export function withoutStarter(text: string): string {
  return STARTERS.some(start => `${text.toLowerCase()}$`.startsWith(start)) ? '' : text
}

/** The beginnings of these texts; `$` is the end of a text. */
const STARTERS = wordsIn(`my site$, my website$, my docs$, my project$, my awesome project$, my new hugo site$,
  my new hugo project$, your awesome title$, a vitepress site$, dinosaurs are cool$, write an awesome description,
  https://your-docusaurus, http://yourdomain, your-email@`)
