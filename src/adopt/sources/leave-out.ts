import { globTokens, isCovered } from '#brand/glob.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { groupsOf, memoize } from '#platform/base/text.ts'
import { isAddress } from '../report/report.ts'
import { type Hiding, hiddenBy } from './ignore-rules.ts'
import { type Entry, type Listing, shownPath } from './source.ts'

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
    const reason = hiddenBy(hidings, path, isFolder)
    return reason === undefined ? undefined : { reason, isHidden: true }
  }
  const paths = new Set(entries.map(({ path }) => path))
  const linkedNames = await linkedHiddenFolders(entries, texts)
  const built = builtFolders(paths)
  const builtReason = (folder: string) => (built.has(folder) ? 'build output' : undefined)
  const folderOff = memoize((folder: string): Off => {
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    if (paths.has(`${folder}/_adopted.md`) && paths.has(`${folder}/workspace.yaml`)) return { reason: 'a brand folder' }
    const usualReason = linkedNames.has(name) ? undefined : (folderReason(name) ?? builtReason(folder))
    const reason = exclusionOf(folder) ?? usualReason
    return (reason === undefined ? hiddenReason(folder, true) : { reason }) ?? STAYS
  })
  /** The folders with a file that pages include: they are not left out whole. */
  const foldersOfIncluded = new Set([...included].flatMap(({ path }) => foldersAbove(path)))
  const kept: Entry[] = []
  const leftOut = new Map<string, Off>()
  for (const entry of entries) {
    const { path, label } = entry
    const isIncluded = included.has(entry) || entry.named !== undefined
    const folder = isIncluded ? undefined : foldersAbove(path).find(above => folderOff(above).reason !== '')
    const reason = exclusionOf(path) ?? (isIncluded ? undefined : fileReason(path))
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
type Off = { reason: string; isHidden?: true }

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
  return /\.(?:md|markdown|mdx|qmd|html?|docx)$/i.test(path)
}

/** A path without the format of a page. */
export function withoutExtension(path: string): string {
  return path.replace(/(?:\.html?)?\.(?:mdx?|markdown|html?|docx|qmd|txt)$/i, '')
}

/** Why a folder of this name is left out whole. */
export function folderReason(name: string): string | undefined {
  return FOLDERS.find(([, pattern]) => pattern.test(name))?.[0]
}

/** Why a file has no place, by its name. Style files are judged by `withoutStyles` after they were read. */
function fileReason(path: string): string | undefined {
  if (isData(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  const row = FILES.find(([, pattern]) => pattern.test(name)) ?? AT_ROOT.find(([, pattern]) => pattern.test(path))
  return row?.[0] ?? (isPage(path) && /(?:^|\/)\./.test(path) ? 'in a hidden folder' : undefined)
}

/** Whether a module, XML or a file of settings may have a palette as data, by its path. */
export function isData(path: string): boolean {
  return (
    /\.(?:[cm]?js|toml|xml)$/i.test(path) && !/\.config\.|\.(?:min|test|spec|stories)\./.test(path) && DATA.test(path)
  )
}

/** `_data/colors.js`, `src/palette.js`, `res/values-night/theme.xml` of Android */
const DATA = /(?:^|\/)(?:_?data|values(?:-[^/]*)?)\/|(?:colou?r|palette|swatch|brand)[^/]*$/i

/** Whether a file is a program, or belongs to the code of one. */
export function isCode(path: string): boolean {
  return CODE.test(path) || /(?:^|\/)package\.json$/.test(path)
}

/** Whether HTML is a template of a website, and not a page that it fills in: it has statements and no front matter. */
export function isTemplate(html: string): boolean {
  return !html.startsWith('---') && STATEMENT.test(html)
}

/** Statements of Jinja, Nunjucks, Liquid and Go. */
const STATEMENT =
  /\{%-?\s*(?:extends|block|include|import|macro|layout)\b|\{\{-?\s*(?:(?:define|block|partial|template|range|with|end|content)\b|[.$])/

/** Why a file without styles is left out; undefined if it is a download of its own. */
export function withoutStyles(path: string): string | undefined {
  return STYLES.find(([, pattern]) => pattern.test(path))?.[0]
}

type Table = readonly (readonly [reason: string, pattern: RegExp])[]

const FOLDERS: Table = [
  ['installed packages', /^(?:node_modules|bower_components)$/],
  ['a hidden folder', /^\./],
  ['made by macOS', /^__MACOSX$/],
  ['source code', /^__(?:tests|snapshots|mocks|pycache)__$/],
  ['tests', /^_(?:tests?|snaps)$/],
  ['about the repository', /^(?:pull_request|issue)_template$/i],
  ['templates of a website', /^(?:_layouts|_includes|_plugins|_partials|_macros|_shortcodes|archetypes|overrides)$/],
]

const CODE =
  /\.(?:[cm]?[jt]sx?|map|snap|vue|svelte|astro|py|ipynb|rb|go|rs|java|kts?|swift|php|[ch]|cc|cpp|cs|r|rd|lua|pl|sh|bat|ps1|nix|sql|tf|hcl|patch|dart|wasm)$/i

const FILES: Table = [
  ['made by an operating system', /^(?:\.DS_Store|thumbs\.db|desktop\.ini|icon\r|~\$.*|.*:zone\.identifier.*)$/is],
  ['a hidden file', /^\./],
  ['a backup or temporary file', /\.(?:bak|tmp|orig|swp|log)$|~$/i],
  ['a licence', /^(?:(?:UN)?LICEN[CS]E|COPYING|NOTICE|OFL)(?:[-.][\w.-]*)?$/],
  ['a change log', /^(?:changelog|changes|history|releases)(?:\.(?:mdx?|txt|rst|html|json))?$/i],
  ['a code of conduct', /^code[-_ ]?of[-_ ]?conduct(?:\.(?:mdx?|txt|rst|html))?$/i],
  ['about the repository', /^(?:pull_request|issue)_template\.(?:md|txt)$/i],
  ['an error page', /^(?:404|500)\.html?$/],
  ['a lock file', /(?:^|[-.])lock(?:file)?(?:\.(?:json|ya?ml|hcl))?$|^(?:npm-shrinkwrap\.json|go\.sum)$/i],
  ['settings of Tailwind as a program, which is not read: write its colours as CSS or JSON', /^tailwind\.config\.\w+$/],
  ['source code', CODE],
  ['a template', /\.(?:njk|liquid|hbs|mustache|ejs|pug|jinja2?|erb|haml|twig|tmpl|gotmpl|template)$/i],
  ['settings of a program', /^(?:package|[jt]sconfig.*|composer|.*\.config|renovate)\.json$|^[^.]+$/i],
  ['settings of a program', /^(?:robots|humans|requirements[\w-]*)\.txt$/i],
  ['settings of a program', /\.(?:toml|ini|cfg|conf|xml|plist|webmanifest|properties|base|env|redir)$/i],
  [
    'text in a format that is not read: build the website of it, and name the folder with its HTML',
    /\.(?:rst|adoc|asciidoc|org|tex|textile)$/i,
  ],
]

/** By the path; further below the root, most of these may be pages of a guide. */
const AT_ROOT: Table = [
  ['a style sheet of Confluence', /(?:^|\/)styles\/site\.css$/],
  ['a licence', /^(?:(?:un)?licen[cs]e|copying|notice)\.(?:md|txt|html)$/i],
  ['an error page', /^(?:[^/]+\/|src\/pages\/)?(?:404|500)\.mdx?$/],
  [
    'about the repository',
    /^(?:(?:contributing|maintainers|governance|security|authors|support|agents|claude|gemini)\.(?:md|txt)|.*\.template\.md)$/i,
  ],
]

const STYLES: Table = [
  ['a style sheet in a language that is not read', /\.(?:sass|less|styl)$/i],
  ['a style sheet without values', /\.s?css$/i],
  ['data of a website', /(?:^|\/)_data\//],
  ['source code', /\.[cm]?js$/i],
  ['settings of a program', /\.(?:toml|xml)$/i],
  ['settings or data without styles', /\.(?:json5?|jsonc|ya?ml)$/i],
]

/** The names of hidden folders that pages link to, such as `.gitbook`, and of those whose `public` is the root of a site. */
async function linkedHiddenFolders(
  entries: readonly Entry[],
  texts: () => AsyncIterable<string>,
): Promise<ReadonlySet<string>> {
  const downloads = entries.filter(({ path }) => !isPage(path) && !fileReason(path) && !withoutStyles(path))
  const hiddenNames = new Set(downloads.flatMap(({ path }) => groupsOf(/(?<=^|\/)\.[^/]+(?=\/)/, path)[0] ?? []))
  const linked = new Set([...hiddenNames].filter(name => /^\.(?:vue|vite)press$/.test(name)))
  if (hiddenNames.size === 0) return linked
  // "/.gitbook/assets/logo.svg", also in brackets of Markdown
  const address = new RegExp(`["'(<[=][^"'()<>[=\\s:]*(${Array.from(hiddenNames, RegExp.escape).join('|')})/`, 'g')
  for await (const text of texts()) for (const [, name = ''] of text.matchAll(address)) linked.add(name)
  return linked
}

/** Folders with the code of a website or program that was made of others; one of downloads may have such a name, too. */
function builtFolders(paths: ReadonlySet<string>): ReadonlySet<string> {
  const foldersOfSettings = new Set([...paths].flatMap(path => groupsOf(GENERATOR_SETTINGS, path)[1] ?? []))
  const matches = [...paths].map(path => BUILT.exec(path) ?? GENERATED.exec(path))
  return new Set(
    matches.flatMap(match => {
      const [, folder, parent] = match ?? []
      return folder && (parent === undefined || foldersOfSettings.has(parent)) ? [folder] : []
    }),
  )
}

/** A file of a program or page in a folder with the name of output: `docs/dist/app.js`. */
const BUILT =
  /^(?=.*\.(?:html?|[cm]?js|css|map)$)((?:.*?\/)?(?:_site|_book|dist|build|out|target|coverage|storybook-static))\//i
/** The home page in a folder such as `public`, which counts only beside the settings of a generator, in its parent. */
const GENERATED = /^((.*\/|)(?:public|site|book))\/index\.html$/
const GENERATOR_SETTINGS = /^(.*\/|)(?:(?:hugo|config|book)\.(?:toml|yaml)|gatsby-config\.[jt]s|mkdocs\.ya?ml)$/
