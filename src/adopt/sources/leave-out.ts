import { globTokens, isCovered } from '#brand/glob.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { anyOf, groupsOf, inFormats, memoize, wordsIn } from '#platform/base/text.ts'
import { isAddress, type Reason } from '../report/report.ts'
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
    const why = hiddenBy(hidings, path, isFolder)
    return why && { ...why, isHidden: true }
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
  return CODE.test(path) || /(?:^|\/)package\.json$/.test(path)
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

/** Why a file without styles is left out; undefined if it is a download of its own. */
export function withoutStyles(path: string): string | undefined {
  return STYLES.find(([, pattern]) => pattern.test(path))?.[0]
}

type Table = readonly (readonly [reason: string, pattern: RegExp])[]

/** A pattern for names, in which `*` is any text; each may have one of these endings. */
function named(names: string, endings = '', flags = 'i'): RegExp {
  const anyName = anyOf(wordsIn(names)).replaceAll('\\*', '.*')
  return new RegExp(String.raw`^${anyName}(?:\.${anyOf(wordsIn(endings))})?$`, `s${flags}`)
}

/** By the name, in its case. */
const FOLDERS: Table = [
  ['installed packages', named('node_modules, bower_components', '', '')],
  ['a hidden folder', /^\./],
  ['made by macOS', /^__MACOSX$/],
  ['source code', named('__tests__, __snapshots__, __mocks__, __pycache__', '', '')],
  ['tests', named('_test, _tests, _snaps', '', '')],
  ['about the repository', named('pull_request_template, issue_template')],
  [
    'templates of a website',
    named('_layouts, _includes, _plugins, _partials, _macros, _shortcodes, archetypes, overrides', '', ''),
  ],
]

const CODE = inFormats(
  `js, jsx, cjs, cjsx, mjs, mjsx, ts, tsx, cts, ctsx, mts, mtsx, map, snap, vue, svelte, astro, py, ipynb, rb, go, rs, java,
  kt, kts, swift, php, c, h, cc, cpp, cs, r, rd, lua, pl, sh, bat, ps1, nix, sql, tf, hcl, patch, dart, wasm`,
)

/** By the name. */
const FILES: Table = [
  ['made by an operating system', named('.DS_Store, thumbs.db, desktop.ini, ~$*, *:zone.identifier*')],
  ['made by an operating system', /^icon\r$/i],
  ['a hidden file', /^\./],
  ['a backup or temporary file', named('*.bak, *.tmp, *.orig, *.swp, *.log, *~')],
  ['a licence', /^(?:(?:UN)?LICEN[CS]E|COPYING|NOTICE|OFL)(?:[-.][\w.-]*)?$/],
  ['a change log', named('changelog, changes, history, releases', 'md, mdx, txt, rst, html, json')],
  ['a code of conduct', named('code-of-conduct, code_of_conduct, code of conduct', 'md, mdx, txt, rst, html')],
  ['about the repository', named('pull_request_template, issue_template', 'md, txt')],
  ['an error page', named('404.html, 404.htm, 500.html, 500.htm')],
  ['a lock file', named('npm-shrinkwrap.json, go.sum')],
  ['a lock file', named('lock, *-lock, *.lock, lockfile, *-lockfile, *.lockfile', 'json, yml, yaml, hcl')],
  ['settings of Tailwind as a program, which is not read: write its colours as CSS or JSON', /^tailwind\.config\.\w+$/],
  ['source code', CODE],
  [
    'a template',
    inFormats('njk, liquid, hbs, mustache, ejs, pug, jinja, jinja2, erb, haml, twig, tmpl, gotmpl, template'),
  ],
  [
    'settings of a program',
    named('package.json, jsconfig*.json, tsconfig*.json, composer.json, *.config.json, renovate.json'),
  ],
  ['settings of a program', /^[^.]+$/],
  ['settings of a program', named('robots.txt, humans.txt, requirements.txt, requirements-*.txt')],
  ['settings of a program', inFormats('toml, ini, cfg, conf, xml, plist, webmanifest, properties, base, env, redir')],
  [
    'text in a format that is not read: build the website of it, and name the folder with its HTML',
    inFormats('rst, adoc, asciidoc, org, tex, textile'),
  ],
]

/** By the path; further below the root, most of these may be pages of a guide. */
const AT_ROOT: Table = [
  ['a style sheet of Confluence', /(?:^|\/)styles\/site\.css$/],
  ['a licence', named('license, licence, unlicense, unlicence, copying, notice', 'md, txt, html')],
  ['an error page', /^(?:[^/]+\/|src\/pages\/)?(?:404|500)\.mdx?$/],
  [
    'about the repository',
    named('contributing, maintainers, governance, security, authors, support, agents, claude, gemini', 'md, txt'),
  ],
  ['about the repository', named('*.template.md')],
]

const STYLES: Table = [
  ['a style sheet in a language that is not read', inFormats('less, styl')],
  ['a style sheet without values', inFormats('css, scss, sass')],
  ['data of a website', /(?:^|\/)_data\//],
  ['source code', CODE],
  ['settings of a program', inFormats('toml, xml')],
  ['settings or data without styles', inFormats('json, json5, jsonc, yml, yaml')],
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
const BUILT = new RegExp(
  String.raw`^(?=.*\.${anyOf(wordsIn('htm, html, js, cjs, mjs, css, map'))}$)((?:.*?\/)?${anyOf(
    wordsIn('_site, _book, dist, build, out, target, coverage, storybook-static'),
  )})\/`,
  'i',
)
/** The home page in a folder such as `public`, which counts only beside the settings of a generator, in its parent. */
const GENERATED = /^((.*\/|)(?:public|site|book))\/index\.html$/
const GENERATOR_SETTINGS = new RegExp(
  String.raw`^(.*\/|)${anyOf(
    ['hugo', 'config', 'book']
      .flatMap(name => [`${name}.toml`, `${name}.yaml`])
      .concat(wordsIn('gatsby-config.js, gatsby-config.ts, mkdocs.yml, mkdocs.yaml')),
  )}$`,
)
