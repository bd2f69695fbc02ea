import { globTokens, isCovered } from '#brand/glob.ts'
import type { Entry, Listing } from './source.ts'

/** The files of a source that may have a place, and those that are left out by `--exclude` or for a reason of the table. */
export type Sorted = { entries: Entry[]; leftOut: Listing['leftOut'] }

/**
 * Leaves out what is no content of a guide. `textsOfPages` is called only if hidden folders have content; it gives the
 * pages, whose links show which of these folders they use.
 */
export async function sortOut(
  entries: readonly Entry[],
  exclude: readonly string[],
  textsOfPages: () => AsyncIterable<string>,
): Promise<Sorted> {
  const globs = exclude.map(glob => ({ glob, tokens: globTokens(anywhere(glob)) }))
  const excludedBy = (path: string) => {
    const found = globs.find(({ tokens }) => isCovered(path, tokens, { isFolder: false }))
    return found && `--exclude ${found.glob}`
  }
  const used = await hiddenFoldersInUse(entries, textsOfPages)
  const built = builtFolders(entries)
  const reasonOf = memoizeFolders(folder => {
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    if (used.has(folder)) return excludedBy(folder)
    return excludedBy(folder) ?? folderReason(name) ?? (built.has(folder) ? 'build output' : undefined)
  })
  const sorted: Sorted = { entries: [], leftOut: [] }
  const folders = new Map<string, string>()
  for (const entry of entries) {
    const folder = reasonOf(entry)
    const isHiddenPage = isPage(entry.path) && /(?:^|\/)\./.test(entry.path)
    const reason =
      excludedBy(entry.path) ?? contentReason(entry.path) ?? (isHiddenPage ? 'in a hidden folder' : undefined)
    if (folder) folders.set(`${entry.label}${folder.path}/`, folder.reason)
    else if (reason) sorted.leftOut.push({ path: entry.label + entry.path, reason })
    else sorted.entries.push(entry)
  }
  for (const [path, reason] of folders) sorted.leftOut.push({ path, reason })
  return sorted
}

/** Whether a file becomes a page, by its format. */
export function isPage(path: string): boolean {
  return /\.(?:md|markdown|mdx|qmd|html?|docx)$/i.test(path)
}

/** A glob without `/` is for names in any folder, and one of a folder for all that is in it. */
function anywhere(glob: string): string {
  const plain = glob.replace(/^\.?\//, '').replace(/\/(?:\*\*)?$/, '')
  return plain.includes('/') ? plain : `**/${plain}`
}

/** The outermost folder of a file for which there is a reason. */
function memoizeFolders(work: (folder: string) => string | undefined) {
  const reasons = new Map<string, string | undefined>()
  return ({ path }: Entry): { path: string; reason: string } | undefined => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      if (!reasons.has(folder)) reasons.set(folder, work(folder))
      const reason = reasons.get(folder)
      if (reason !== undefined) return { path: folder, reason }
    }
    return undefined
  }
}

/** Why a folder of this name is left out whole, whatever is in it. */
export function folderReason(name: string): string | undefined {
  return FOLDERS.find(([, pattern]) => pattern.test(name))?.[0]
}

/** Whether a folder is not even listed: it may have very many files. */
export function isNeverListed(name: string): boolean {
  return NEVER_LISTED.test(name)
}

const NEVER_LISTED =
  /^(?:node_modules|bower_components|\.(?:git|hg|svn|venv|next|nuxt|cache|docusaurus|yarn|tox|terraform|parcel-cache))$/

const FOLDERS: readonly (readonly [reason: string, name: RegExp])[] = [
  ['installed packages', /^(?:node_modules|bower_components|jspm_packages)$/],
  ['a hidden folder', /^\./],
  ['made by macOS', /^__MACOSX$/],
  ['source code', /^(?:__tests__|__snapshots__|__pycache__|__mocks__)$/],
  ['templates of a website', /^(?:_layouts|_includes|_plugins|_partials|_macros|archetypes)$/],
]

/**
 * Why a file is no content of a guide, by its name and format. Files that may have styles are not judged here, but by
 * `withoutStyles` after they were read.
 */
function contentReason(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = FILES.find(([, pattern, onlyAtRoot]) => pattern.test(name) && (!onlyAtRoot || name === path))
  return found?.[0]
}

/** Why a file that has no styles is left out; undefined if it is a download of its own. */
export function withoutStyles(path: string): string | undefined {
  return STYLES.find(([, pattern]) => pattern.test(path))?.[0]
}

/** The first row whose name matches counts; `onlyAtRoot` is for names that may also be pages further below. */
const FILES: readonly (readonly [reason: string, name: RegExp, onlyAtRoot?: boolean])[] = [
  ['made by an operating system', /^(?:\.DS_Store|thumbs\.db|desktop\.ini|icon\r|~\$.*|.*:zone\.identifier.*)$/i],
  ['a hidden file', /^\./],
  ['a backup or temporary file', /\.(?:bak|tmp|orig|swp|log)$|~$/i],
  ['a licence', /^(?:(?:UN)?LICEN[CS]E|COPYING|NOTICE|OFL)(?:[-.][\w.-]*)?$/],
  ['a licence', /^(?:(?:un)?licen[cs]e|copying|notice|ofl)(?:\.(?:md|txt|html))?$/i, true],
  ['a change log', /^(?:changelog|changes|history|releases|release[-_]notes)(?:\.(?:mdx?|txt|rst|html|json))?$/i],
  ['a code of conduct', /^code[-_ ]?of[-_ ]?conduct(?:\.(?:mdx?|txt|rst|html))?$/i],
  [
    'about the repository',
    /^(?:contributing|contributors|maintainers|governance|security|authors|codeowners)(?:\.(?:md|txt))?$/i,
    true,
  ],
  ['a lock file', /(?:^|[-.])lock(?:file)?(?:\.(?:json|ya?ml|hcl))?$|^(?:npm-shrinkwrap\.json|go\.sum)$/i],
  [
    'source code',
    /\.(?:[cm]?[jt]sx?|map|snap|vue|svelte|astro|py|ipynb|rb|go|rs|java|kts?|swift|php|[ch]|cc|cpp|cs|r|rd|jl|lua|pl|sh|bat|ps1|fish|nix|sql|tf|hcl|patch|diff|dart|ex|exs|clj|wasm)$/i,
  ],
  [
    'a template',
    /\.(?:njk|liquid|hbs|handlebars|mustache|ejs|pug|jade|j2|jinja2?|erb|haml|twig|tmpl|gotmpl|template)$/i,
  ],
  [
    'settings of a program',
    /^(?:package|(?:ts|js)config[\w.-]*|composer|manifest|.*\.config|sidebars|renovate)\.json$/i,
  ],
  [
    'settings of a program',
    /^(?:robots|humans|requirements[\w-]*)\.txt$|\.(?:toml|ini|cfg|conf|xml|plist|webmanifest|properties|base|env|redir|rproj|gemspec)$/i,
  ],
  ['settings of a program', /^[^.]+$/],
  ['text in a format that is not read', /\.(?:rst|adoc|asciidoc|org|tex|textile)$/i],
]

const STYLES: readonly (readonly [reason: string, path: RegExp])[] = [
  ['a style sheet without values', /\.(?:css|s[ac]ss|less|styl)$/i],
  ['data of a website', /(?:^|\/)_data\//],
  ['settings or data without styles', /\.(?:json5?|jsonc|ya?ml)$/i],
]

/** Hidden folders with pictures or other content that pages link to, such as `.gitbook`, and the folders above and below. */
async function hiddenFoldersInUse(
  entries: readonly Entry[],
  textsOfPages: () => AsyncIterable<string>,
): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  const names = new Map<string, string[]>()
  for (const { path } of entries) {
    const [folder, name] = /^(?:.*?\/)?(\.[^/]+)(?=\/)/.exec(path) ?? []
    if (folder === undefined || name === undefined || contentReason(path) || withoutStyles(path)) continue
    if (/\/?\.(?:vuepress|vitepress)\/public\//.test(path)) used.add(folder)
    else names.set(name, [...new Set([...(names.get(name) ?? []), folder])])
  }
  if (names.size === 0) return used
  for await (const text of textsOfPages())
    for (const [name, folders] of names)
      if (isLinked(text, name)) {
        for (const folder of folders) used.add(folder)
        names.delete(name)
      }
  return used
}

/** Whether a text links to something in a folder of this name: it is in an address, and not only in a sentence. */
function isLinked(text: string, name: string): boolean {
  for (let at = text.indexOf(`${name}/`); at !== -1; at = text.indexOf(`${name}/`, at + 1))
    if (/[("'<[=/]$/.test(text.slice(Math.max(0, at - 1), at))) return true
  return false
}

/** Folders that a program made of others: the source has something outside of them. */
function builtFolders(entries: readonly Entry[]): ReadonlySet<string> {
  const paths = new Set(entries.map(({ path }) => path))
  const built = new Set<string>()
  for (const { path } of entries) {
    if (!BUILT_FILE.test(path)) continue
    for (const { 0: before, index } of path.matchAll(/(?<=^|\/)[^/]+(?=\/)/g)) {
      const parent = path.slice(0, index)
      const isBuilt = BUILT.some(
        ([name, made, by]) =>
          name.test(before) && (!made || paths.has(`${parent}${before}/${made}`)) && isMadeBy(by, parent),
      )
      if (isBuilt) built.add(parent + before)
    }
  }
  const isOutside = ({ path }: Entry) => ![...built].some(folder => path.startsWith(`${folder}/`))
  return entries.some(isOutside) ? built : new Set()

  function isMadeBy(settings: readonly string[] | undefined, parent: string): boolean {
    return !settings || settings.some(name => paths.has(parent + name))
  }
}

const BUILT_FILE = /\.(?:html?|[cm]?js|css|map|wasm)$/i

/** The name of a folder, a file that it must have, and files beside it, one of which names the program. */
const BUILT: readonly (readonly [name: RegExp, made?: string, by?: readonly string[]])[] = [
  [/^(?:_site|_book|dist|build|out|target|coverage|storybook-static)$/],
  [/^public$/, 'index.html', ['hugo.toml', 'hugo.yaml', 'config.toml', 'gatsby-config.js', 'gatsby-config.ts']],
  [/^site$/, 'index.html', ['mkdocs.yml']],
  [/^book$/, 'index.html', ['book.toml']],
]
