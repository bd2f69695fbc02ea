import { basename, dirname, extname } from 'node:path/posix'
import { globTokens, isCovered } from '#brand/glob.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { typeOfExtension } from '#formats/picture/signature.ts'
import { anyOf, groupsOf, inFormats, memoize, wordSet, wordsIn, wordTable } from '#platform/base/text.ts'
import { isAddress, type Reason } from '../report/report.ts'
import { type Hiding, hiddenBy } from './ignore-rules.ts'
import { type Entry, type Listing, shownPath } from './source.ts'
import { isPalette } from './style-names.ts'

/**
 * Separates the files of a source that may have a place from what is left out, by `--exclude` or by the tables below.
 * The texts of the pages show which hidden folders they link to; files that they include or the user named stay.
 *
 * `leftOut` has one line for a whole folder, unless a file in it stays.
 */
export async function sortOut(
  entries: readonly Entry[],
  exclude: readonly string[],
  texts: () => AsyncIterable<string>,
  included: ReadonlySet<Entry>,
  hidings: readonly Hiding[] = [],
): Promise<{ entries: Entry[]; leftOut: Listing['leftOut'] }> {
  const globs = exclude.map(glob => ({ glob, tokens: globTokens(anywhere(glob)) }))
  const exclusionOf = (path: string) => {
    const exclusion = globs.find(({ tokens }) => isCovered(path, tokens, { isFolder: false }))
    return exclusion && excludedBy(exclusion.glob)
  }
  const hiddenReason = (path: string, isFolder: boolean): Off | undefined => {
    const why = hiddenBy(hidings, path, isFolder)
    return why && { ...why, isHidden: true }
  }
  const paths = new Set(entries.map(({ path }) => path))
  const linkedNames = await linkedHiddenFolders(entries, texts)
  const built = builtFolders(paths)
  const folderOff = memoize((folder: string): Off => {
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    if (paths.has(`${folder}/_adopted.md`) && paths.has(`${folder}/workspace.yaml`)) return { reason: 'a brand folder' }
    const usualReason = linkedNames.has(name) ? undefined : (folderReason(name) ?? built.get(folder))
    const reason = exclusionOf(folder) ?? usualReason
    return (reason === undefined ? hiddenReason(folder, true) : { reason }) ?? STAYS
  })
  /** The folders with a file that pages include, or that readers saw: they are not left out whole. */
  const seen = entries.filter(({ rendition }) => rendition !== undefined)
  const foldersOfIncluded = new Set([...included, ...seen].flatMap(({ path }) => foldersAbove(path)))
  const kept: Entry[] = []
  const leftOut = new Map<string, Off>()
  for (const entry of entries) {
    const { path, label } = entry
    const isSeen = entry.rendition !== undefined
    const isIncluded = included.has(entry) || entry.named !== undefined || isSeen
    const folder = isIncluded ? undefined : foldersAbove(path).find(above => folderOff(above).reason !== '')
    const reason = exclusionOf(path) ?? (isIncluded && !isSeen ? undefined : fileReason(path))
    const off = reason === undefined ? (isIncluded ? undefined : hiddenReason(path, false)) : { reason }
    const shown = shownPath(entry)
    const isListedAlone = (above: string) => foldersOfIncluded.has(above) || isAddress(shown)
    if (folder !== undefined) leftOut.set(isListedAlone(folder) ? shown : `${label}${folder}/`, folderOff(folder))
    else if (off) leftOut.set(shown, off)
    else kept.push(entry)
  }
  return { entries: kept, leftOut: Array.from(leftOut, ([path, off]) => ({ path, ...off })) }
}

/** Why a file or folder is left out. `isHidden`: a setting of its site hides it. */
type Off = Reason & { isHidden?: true }

/** A folder that is not left out. */
const STAYS: Off = { reason: '' }

/** The reason in the report for what `--exclude` leaves out. */
export function excludedBy(glob: string): string {
  return `--exclude ${glob}`
}

/** A glob without `/` covers names in any folder, and one of a folder all that is in it. */
function anywhere(glob: string): string {
  const plain = glob.replace(/^\.?\//, '').replace(/\/(?:\*\*)?$/, '')
  return plain.includes('/') ? plain : `**/${plain}`
}

/** Whether a file becomes a page, by its format. */
export function isPage(path: string): boolean {
  return PAGE.test(path)
}

const PAGE = inFormats('md, markdown, mdx, qmd, htm, html, docx')

/** A path without the format of a page. */
export function withoutExtension(path: string): string {
  return path.replace(/(?:\.html?)?\.(?:mdx?|markdown|html?|docx|qmd|txt)$/i, '')
}

/** Why a folder of this name is left out whole. */
export function folderReason(name: string): string | undefined {
  return name.startsWith('.') ? 'a hidden folder' : FOLDERS.get(name)
}

/** Whether a page is about the repository, by its name: a README or what is left out. */
export function isAbout(path: string): boolean {
  return fileReason(path) !== undefined || /^readme\.\w+$/i.test(basename(path))
}

/** Why a file has no place, by its name, whether or not a page links to it. */
function fileReason(path: string): string | undefined {
  const name = basename(path)
  if (name.startsWith('.')) return 'a hidden file'
  if (isPage(path) && `/${path}`.includes('/.')) return 'in a hidden folder'
  if (name.startsWith('~$')) return 'a temporary file'
  // Further below the root, a name with small letters may be that of a page of the guide.
  const [stem = ''] = name.split('.')
  return path === name || stem === stem.toUpperCase() ? ABOUT.get(stem.toLowerCase()) : undefined
}

/** Whether a module, XML or a file of settings may have a palette as data, by its path. */
export function isData(path: string): boolean {
  if (XML.test(path))
    return path
      .split('/')
      .slice(-2)
      .some(part => XML_DATA.test(part))
  return MODULES.test(path) && !/\.config\.|\.(?:min|test|spec|stories)\./.test(path) && DATA.test(path)
}

const XML = inFormats('xml')
const MODULES = inFormats('js, cjs, mjs, jsx, ts, cts, mts, tsx, toml')
/** `_data/colors.js`, `src/palette.js` */
const DATA = /(?:^|\/)_?data\/|(?:colou?r|palette|swatch|brand)[^/]*$/i
/** `palettes/autumn.xml`, and `res/values-night/theme.xml` of Android */
const XML_DATA = /colou?r|palette|swatch|brand|scribus|^values(?:-|$)/i

/** Whether a file is a program, or belongs to the code of one. */
export function isCode(path: string): boolean {
  return CODE.test(path) || path.endsWith('package.json')
}

/** Whether HTML is a template of a website, and not a page that it fills in: it has statements and no front matter. */
export function isTemplate(html: string): boolean {
  return !html.startsWith('---') && STATEMENT.test(html)
}

/** Statements of Jinja, Nunjucks, Liquid and Go. */
const [BLOCKS, VALUES] = [
  wordsIn('extends, block, include, import, macro, layout'),
  wordsIn('define, block, partial, template, range, with, end, content'),
].map(anyOf)
const STATEMENT = new RegExp(String.raw`\{%-?\s*${BLOCKS}\b|\{\{-?\s*(?:${VALUES}\b|[.$])`)

/** Why a file is no download unless a page links to it; undefined for pictures, fonts, documents and other files for people. */
export async function noDownload(path: string): Promise<string | undefined> {
  const extension = extname(path).slice(1).toLowerCase()
  const type = String(await typeOfExtension(extension))
  const isMedia = [...MEDIA].some(kind => type.startsWith(kind)) || DOCUMENTS.has(extension) || isPalette(path)
  if (isMedia && !OTHERS.test(path)) return undefined
  return UNREAD.get(extension) ?? 'source code, or settings or data of a program'
}

/** The kinds of media types of files for people. */
const MEDIA = wordSet('image/ font/ audio/ video/ model/')

/** Data and settings of programs in such formats. */
const OTHERS = /(?:^|\/)(?:_data\/|(?:robots|humans|cmakelists|[\w-]*requirements[\w-]*)\.txt$)/i

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
const FOLDERS = wordTable([
  ['installed packages', 'node_modules bower_components'],
  ['made by macOS', '__MACOSX'],
  ['tests', '__tests__ __snapshots__ __mocks__ __pycache__ _test _tests _snaps'],
  ['about the repository', 'PULL_REQUEST_TEMPLATE ISSUE_TEMPLATE pull_request_template issue_template'],
  ['templates of a website', '_layouts _includes _plugins _partials _macros _shortcodes archetypes overrides'],
])

/** Files by their names without format, in small letters. */
const ABOUT = wordTable([
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

/** The names of hidden folders that pages link to, such as `.gitbook`, and of those whose `public` is the root of a site. */
async function linkedHiddenFolders(
  entries: readonly Entry[],
  texts: () => AsyncIterable<string>,
): Promise<ReadonlySet<string>> {
  const files = entries.filter(({ path }) => !isPage(path))
  const hiddenNames = new Set(files.flatMap(({ path }) => groupsOf(/(?<=^|\/)\.[^/]+(?=\/)/, path)[0] ?? []))
  const linked = new Set([...hiddenNames].filter(name => /^\.(?:vue|vite)press$/.test(name)))
  if (hiddenNames.size === 0) return linked
  // "/.gitbook/assets/logo.svg", also in brackets of Markdown
  const address = new RegExp(`["'(<[=][^"'()<>[=\\s:]*(${Array.from(hiddenNames, RegExp.escape).join('|')})/`, 'g')
  for await (const text of texts()) for (const [, name = ''] of text.matchAll(address)) linked.add(name)
  return linked
}

/** Folders with code that was made of other files, or is that of others, with the reason; one of downloads may have such a name, too. */
export function builtFolders(paths: ReadonlySet<string>): ReadonlyMap<string, string> {
  const settings = new Set([...paths].filter(path => SETTINGS.has(basename(path))).map(path => dirname(path)))
  const folders = new Map<string, string>()
  for (const path of paths)
    for (const folder of foldersAbove(path)) {
      const reason = codeReason(path, folder, settings)
      if (reason !== undefined) folders.set(folder, reason)
    }
  return folders
}

/** Why a folder is left out because of a file in it, such as `docs/dist/app.js`. */
function codeReason(path: string, folder: string, settings: ReadonlySet<string>): string | undefined {
  const name = basename(folder).toLowerCase()
  if (OUTPUTS.has(name) && OUTPUT.test(path)) return 'build output'
  if (LIBRARIES.has(name) && CODE.test(path)) return 'code of others'
  const isBuilt = BESIDE_SETTINGS.has(name) && path === `${folder}/index.html` && settings.has(dirname(folder))
  return isBuilt ? 'build output' : undefined
}

const OUTPUT = inFormats('htm, html, js, cjs, mjs, css, map')
const OUTPUTS = wordSet('_site _book dist build out target coverage storybook-static')
const LIBRARIES = wordSet('vendor vendors third_party third-party libraries')
/** Names of output that count only beside the settings of a generator. */
const BESIDE_SETTINGS = wordSet('public site book')
const SETTINGS =
  wordSet(`hugo.toml hugo.yaml config.toml config.yaml book.toml book.yaml gatsby-config.js gatsby-config.ts
  mkdocs.yml mkdocs.yaml`)
