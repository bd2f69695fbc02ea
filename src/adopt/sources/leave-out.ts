import { basename, dirname, extname } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { typeOfExtension } from '#formats/picture/signature.ts'
import { anyOf, inFormats, wordSet, wordsIn, wordTable } from '#platform/base/text.ts'
import { isAddress, type Reason } from '../report/report.ts'
import { SITE_FOLDERS } from './generators/table.ts'
import { type Hiding, hiddenBy, ignoreLines } from './ignore-rules.ts'
import { type Entry, type Listing, shownPath } from './source.ts'
import { isPalette, namesColors } from './style-names.ts'

/** The facts of a source that decide which of its files stay. */
type Sorting = {
  /** The globs of `--exclude`. */
  exclude: readonly string[]
  /** Folders with code that was made of other files, or of other people; one of downloads may have such a name, too. */
  built: ReadonlyMap<string, Reason>
  /** Rules for files that the site does not publish. */
  hidings: readonly Hiding[]
  /** The files that pages include. */
  included: ReadonlySet<Entry>
  /** The texts of the pages, which show the hidden folders that they link to. */
  texts: () => AsyncIterable<string>
}

/** Why a file or folder is left out. `isHidden`: a setting of its site hides it. */
type Off = Reason & { isHidden?: true }
type Judge = (path: string, isFolder: boolean) => Off | undefined

/**
 * Separates the files of a source that may have a place from what is left out, by `--exclude` or by the tables below.
 * Files that pages include, that readers saw or that the user named stay in any folder. `leftOut` has one line for a whole
 * folder, unless a file in it stays.
 */
export async function sortOut(
  entries: readonly Entry[],
  sorting: Sorting,
): Promise<{ entries: Entry[]; leftOut: Listing['leftOut'] }> {
  const judges = await judgesOf(entries, sorting)
  const foldersOff = new Map<string, Off>()
  for (const folder of new Set(entries.flatMap(({ path }) => foldersAbove(path)))) {
    const off = firstReason(judges.folder, folder, true)
    if (off) foldersOff.set(folder, off)
  }
  const kinds = entries.map(entry => ({ entry, kind: kindOf(entry, sorting.included) }))
  const unusual = kinds.filter(({ kind }) => kind !== 'usual').map(({ entry }) => entry)
  const foldersOfUnusual = new Set(unusual.flatMap(({ path }) => foldersAbove(path)))
  const kept: Entry[] = []
  const leftOut = new Map<string, Off>()
  for (const { entry, kind } of kinds) {
    const { path, label } = entry
    const folder = kind === 'usual' ? foldersAbove(path).find(above => foldersOff.has(above)) : undefined
    const off = foldersOff.get(folder ?? '') ?? firstReason(judges[kind], path, false)
    const isWhole = folder !== undefined && !foldersOfUnusual.has(folder) && !isAddress(shownPath(entry))
    if (off === undefined) kept.push(entry)
    else leftOut.set(isWhole ? `${label}${folder}/` : shownPath(entry), off)
  }
  return { entries: kept, leftOut: Array.from(leftOut, ([path, off]) => ({ path, ...off })) }
}

/** A file that pages include or that the user named is wanted, and one that readers saw is seen. */
type Kind = 'usual' | 'seen' | 'wanted'

function kindOf(entry: Entry, included: ReadonlySet<Entry>): Kind {
  if (entry.rendition) return 'seen'
  return included.has(entry) || entry.named ? 'wanted' : 'usual'
}

/** The judges of folders, and of each kind of file; the first reason counts. */
async function judgesOf(
  entries: readonly Entry[],
  { exclude, built, hidings, texts }: Sorting,
): Promise<Readonly<Record<'folder' | Kind, readonly Judge[]>>> {
  const linked = await linkedHiddenFolders(entries, texts)
  const guides = new Set(
    entries.filter(({ path }) => basename(path) === '_adopted.md').map(({ path }) => dirname(path)),
  )
  const exclusions = exclude.map(glob => ({ reason: excludedBy(glob), rules: ignoreLines(glob, '') }))
  const excluded: Judge = (path, isFolder) => hiddenBy(exclusions, path, isFolder)
  const hidden: Judge = (path, isFolder) => {
    const why = hiddenBy(hidings, path, isFolder)
    return why && { ...why, isHidden: true }
  }
  const guide: Judge = folder => (guides.has(folder) ? { reason: 'a brand folder' } : undefined)
  const unlinked: Judge = folder => (linked.has(basename(folder)) ? undefined : folderReason(basename(folder)))
  return {
    folder: [guide, excluded, unlinked, folder => built.get(folder), hidden],
    usual: [excluded, fileReason, sampleJudge(entries.map(({ path }) => path)), hidden],
    seen: [excluded, fileReason],
    wanted: [excluded],
  }
}

/** Judges pages that only show the fonts in their folder, or in the one above it. A folder with a home page is a website. */
function sampleJudge(paths: readonly string[]): Judge {
  const fonts = paths.filter(path => FONTS.test(path))
  const around = new Set(fonts.flatMap(foldersAbove))
  const direct = new Set(fonts.map(dirname))
  const sites = new Set(paths.filter(path => basename(path) === 'index.html').map(dirname))
  return path => {
    const folder = dirname(path)
    const isAtFonts = !sites.has(folder) && (around.has(folder) || direct.has(dirname(folder)))
    return isAtFonts && SAMPLE.test(path) ? { reason: 'a sample page of fonts' } : undefined
  }
}

const SAMPLE = /(?<![a-z])demo\.html?$/i
const FONTS = inFormats('woff, woff2, ttf, otf, eot')

function firstReason(judges: readonly Judge[], path: string, isFolder: boolean): Off | undefined {
  return judges
    .values()
    .map(judge => judge(path, isFolder))
    .find(off => off !== undefined)
}

/** The reason in the report for what `--exclude` leaves out. */
export function excludedBy(glob: string): string {
  return `--exclude ${glob}`
}

/** Whether a file becomes a page, by its format. */
export function isPage(path: string): boolean {
  return PAGES.has(formatOf(path))
}

/** How a file becomes a page; undefined if it becomes none. */
export function pageKind({ path, isDownload = false }: Entry): 'md' | 'mdx' | 'html' | 'docx' | undefined {
  return isDownload ? undefined : PAGES.get(formatOf(path))
}

const PAGES = wordTable<'md' | 'mdx' | 'html' | 'docx'>([
  ['md', 'md markdown qmd'],
  ['mdx', 'mdx'],
  ['html', 'html htm'],
  ['docx', 'docx'],
])
const TEXTS = new Set([...PAGES.keys(), 'txt'])

export function formatOf(path: string): string {
  return extname(path).slice(1).toLowerCase()
}

/** The names in a path, and the parts of these between dots. */
export function pathParts(path: string): ReadonlySet<string> {
  return new Set(path.split(/[/.]/))
}

/** A path without the formats of a page, as in `logo.html.md`. */
export function withoutExtension(path: string): string {
  const format = formatOf(path)
  return TEXTS.has(format) ? withoutExtension(path.slice(0, -format.length - 1)) : path
}

/** Why a folder of this name is left out whole. */
export function folderReason(name: string): Reason | undefined {
  return name.startsWith('.') ? { reason: 'a hidden folder' } : FOLDERS.get(name)
}

/** Whether a page is about the repository, by its name: a README or what is left out. */
export function isAbout(path: string): boolean {
  return fileReason(path) !== undefined || isReadme(path)
}

/** Whether a path is that of a README. */
export function isReadme(path: string): boolean {
  return READMES.has(fileStem(path).toLowerCase())
}

const READMES = wordSet('readme _readme')

/** Why a file has no place, by its name, whether or not a page links to it. */
function fileReason(path: string): Reason | undefined {
  const name = basename(path)
  if (name.startsWith('.')) return { reason: 'a hidden file' }
  if (isPage(path) && `/${path}`.includes('/.')) return { reason: 'in a hidden folder' }
  if (name.startsWith('~$')) return { reason: 'a temporary file' }
  // Further below the root, a name with small letters may be that of a page of the guide.
  const [stem = ''] = name.split('.')
  return path === name || stem === stem.toUpperCase() ? ABOUT.get(stem.toLowerCase()) : undefined
}

/** Whether a module, XML or a file of settings may have a palette as data: its name or its folder say so. */
export function isData(path: string): boolean {
  const place = path.split('/').slice(-2).join('/').toLowerCase()
  const words = pathParts(place.replaceAll('-', '.'))
  return DATA.test(path) && words.isDisjointFrom(NO_DATA) && (namesColors(place) || !words.isDisjointFrom(DATA_NAMES))
}

const DATA = inFormats('js, cjs, mjs, jsx, ts, cts, mts, tsx, toml, xml')
const NO_DATA = wordSet('config min test spec stories')
/** The folder of values is one of Android, such as `values-night`. */
const DATA_NAMES = wordSet('data _data values scribus')

/** Whether a file is a program, or belongs to the code of one. */
export function isCode(path: string): boolean {
  return CODE.test(path) || isPackageList(path)
}

/** Whether managers of packages keep names and versions in a file, also of packages for colours. */
export function isPackageList(path: string): boolean {
  return PACKAGE_LISTS.has(basename(path))
}

const PACKAGE_LISTS =
  wordSet(`package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml composer.json composer.lock
  bower.json`)

/** Whether HTML is a template of a website, and not a page that it fills in: it has statements and no front matter. */
export function isTemplate(html: string): boolean {
  return !html.startsWith('---') && STATEMENT.test(html)
}

/** Words at the beginning of the statements of template engines. */
const [BLOCKS, VALUES] = [
  wordsIn('extends, block, include, import, macro, layout'),
  wordsIn('define, block, partial, template, range, with, end, content'),
].map(anyOf)
const STATEMENT = new RegExp(String.raw`\{%-?\s*${BLOCKS}\b|\{\{-?\s*(?:${VALUES}\b|[.$])|%\w+\.body%`)

/** Why a file is no download unless a page links to it; empty for pictures, fonts, documents and other files for people. */
export async function noDownload(path: string): Promise<string> {
  const format = formatOf(path)
  const [kind = ''] = String(await typeOfExtension(format)).split('/')
  const isForPeople = MEDIA.has(kind) || DOCUMENTS.has(format) || isPalette(path)
  const isOfProgram = path.split('/').some(name => OF_PROGRAMS.has(name.toLowerCase()))
  if (isForPeople && !isOfProgram) return ''
  return UNREAD.get(format) ?? 'source code, or settings or data of a program'
}

/** The kinds of media types of files for people. */
const MEDIA = wordSet('image font audio video model')

/** Names of folders and files with data and settings of programs in such formats. */
const OF_PROGRAMS = wordSet(`_data robots.txt humans.txt cmakelists.txt
  requirements.txt requirements-dev.txt dev-requirements.txt requirements-test.txt`)

/** Formats of documents, archives and design programs, whose media types say less. */
const DOCUMENTS =
  wordSet(`pdf epub txt rtf doc docx docm dot dotx dotm odt ott pages xls xlsx xlsm xltx ods ots csv tsv numbers
  ppt pptx pptm pps ppsx pot potx potm odp otp key thmx gdoc gsheet gslides vcf ics
  zip 7z rar gz tgz tar bz2 xz dmg
  ai ait eps ps idml indd indt indb inx sketch fig xd psb xcf kra cdr vsdx drawio excalidraw afdesign afphoto afpub aftemplate
  procreate abr atn asl grd pat lottie riv aep mogrt prproj blend c4d skp icc icm cube lut 3dl xmp eot`)

/** Formats with a reason of their own. */
const UNREAD = wordTable([
  ['a style sheet without values', 'css scss sass'],
  ['a style sheet in a language that is not read', 'less styl'],
  ['settings or data without styles', 'json json5 jsonc yml yaml toml xml'],
  ['a template', 'njk liquid hbs mustache ejs pug jinja jinja2 erb haml twig tmpl gotmpl template'],
  [
    'text in a format that is not read: build the website of it, and name the folder with its HTML',
    'rst adoc asciidoc org tex textile',
  ],
])

/** Folders by their names. */
const FOLDERS = reasonTable([
  ['installed packages', 'node_modules bower_components'],
  ['made by macOS', '__MACOSX'],
  ['tests', 'test tests fixtures __tests__ __snapshots__ __mocks__ __pycache__ _test _tests _snaps'],
  ['about the repository', 'PULL_REQUEST_TEMPLATE ISSUE_TEMPLATE pull_request_template issue_template'],
  ['templates of a website', '_layouts _includes _plugins _partials _macros _shortcodes archetypes overrides'],
])

/** Files by their names without format, in small letters. */
const ABOUT = reasonTable([
  ['a licence', 'license licence unlicense unlicence copying notice ofl'],
  ['a change log', 'changelog changes history releases'],
  ['a code of conduct', 'code-of-conduct code_of_conduct'],
  [
    'about the repository',
    `contributing maintainers governance security authors support agents claude gemini pull_request_template
    issue_template`,
  ],
  ['an error page', '404 500'],
])

const CODE = inFormats(
  `js, jsx, cjs, cjsx, mjs, mjsx, ts, tsx, cts, ctsx, mts, mtsx, map, snap, vue, svelte, astro, py, ipynb, rb, go, rs, java,
  kt, kts, swift, php, c, h, cc, cpp, cs, r, rd, lua, pl, sh, bat, ps1, nix, sql, tf, hcl, patch, dart, wasm`,
)

function reasonTable(rows: readonly (readonly [reason: string, list: string])[]): ReadonlyMap<string, Reason> {
  return wordTable(rows.map(([reason, list]) => [{ reason }, list]))
}

/** The names of hidden folders that pages link to, such as `.gitbook`, and of those whose `public` is the root of a site. */
async function linkedHiddenFolders(
  entries: readonly Entry[],
  texts: () => AsyncIterable<string>,
): Promise<ReadonlySet<string>> {
  const files = entries.filter(({ path }) => !isPage(path))
  const folders = files.flatMap(({ path }) => path.split('/').slice(0, -1))
  const names = new Set(folders.filter(name => name.startsWith('.')))
  const linked = new Set(SITE_FOLDERS.filter(name => names.has(name)))
  if (names.size === 0) return linked
  // "/.gitbook/assets/logo.svg", also in brackets of Markdown
  const address = new RegExp(`["'(<[=][^"'()<>[=\\s:]*(${anyOf([...names])})/`, 'g')
  for await (const text of texts()) for (const [, name = ''] of text.matchAll(address)) linked.add(name)
  return linked
}
