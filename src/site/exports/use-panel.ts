import { type BrandFile, isFont } from '#brand/file.ts'
import { skillName } from '#delivery/export/agents/skill-name.ts'
import type { ExportFormat } from '#delivery/export/format.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { archiveFormats } from '#delivery/export/make-export.ts'
import { hasLibrary, usableFiles } from '#serving/publications/library.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, isDraft, pathBelow, type Section } from '../guide/guide.ts'
import { type Html, html, joinWords, type Word } from '../html.ts'
import { libraryHead } from '../layout/head.ts'
import { guidePage } from '../layout/layout.ts'
import type { Words } from '../words/words.ts'

/** The page with the formats of a whole guide for designers, developers and agents. */
export async function useView(guide: Guide): Promise<Representation> {
  const { use } = guide.words
  const head = html`${libraryHead(guide, use.title)}<p class="lead">${use.lead}</p>`
  const main = html`<div class="tools">${audienceParts(guide, await contentOf(guide))}</div>`
  return guidePage(guide, { title: `${use.title}`, kind: 'plain', below: '/-/use', isWide: true, head, main })
}

/** The link to that page, on the pages of colours and type. */
export function useLink(guide: Guide): Html {
  const { use } = guide.words
  return html`<p class="developers"><a href="${pathBelow(guide, 'use')}">${use.developers}</a> <span class="quiet">${use.lead}</span></p>\n`
}

/** The parts for each audience that has any formats. */
function audienceParts(guide: Guide, has: Has): Html[] {
  const formats = FORMATS.filter(format => isPossible(format, has))
  const { use } = guide.words
  const kits = KITS.filter(({ file, needs }) => archiveFormats(file) && has[needs])
  const forDesign = FOR_DESIGN.flatMap(id => formats.filter(format => format.id === id))
  const design = [
    ...(has.files ? [downloadRow(use.files, pathBelow(guide, 'files.zip'), 'files.zip')] : []),
    ...kits.map(({ file, label }) => downloadRow(use[label], exportPath(guide, file), file)),
    ...forDesign.map(({ id, file }) => downloadRow(formatName(guide.words, id), exportPath(guide, file), file)),
  ]
  const forCode = formats.filter(({ id }) => !FOR_DESIGN.includes(id) && !FOR_AGENTS.has(id))
  const audiences = [
    { name: use.design, rows: design },
    { name: use.code, rows: forCode.map(format => codeRow(guide, format)) },
    { name: use.agents, rows: agentRows(guide, formats) },
  ]
  return audiences.flatMap(({ name, rows }) =>
    rows.length > 0 ? html`<section><h2>${name}</h2>\n<div>${rows}</div></section>\n` : [],
  )
}

/** The setup of clients, the formats for agents, and the index of the Markdown. */
function agentRows(guide: Guide, formats: readonly ExportFormat[]): Html[] {
  const { site, publication } = guide
  const setups = !site.copy && !isDraft(guide) ? setupRows(guide) : []
  const forAgents = formats.filter(({ id }) => FOR_AGENTS.has(id)).map(format => codeRow(guide, format))
  const index = html`<div><span>Markdown</span> <a href="${site.paths.below(publication.record, '/llms.txt')}">llms.txt</a></div>\n`
  return [...setups, ...forAgents, index]
}

/** Formats that design and office programs open, in the order of the page. */
const FOR_DESIGN: readonly string[] = ['ase', 'office', 'gpl', 'dtcg-legacy']

/** Archives of several formats. */
const KITS: readonly { file: string; label: 'palette' | 'fonts'; needs: keyof Has }[] = [
  { file: 'palette.zip', label: 'palette', needs: 'colors' },
  { file: 'fonts.zip', label: 'fonts', needs: 'fonts' },
]

/** Whether a guide has content for formats, by kind. */
type Has = {
  colors: boolean
  types: boolean
  pages: boolean
  files: boolean
  fonts: boolean
  office: boolean
  dark: boolean
}

async function contentOf({ publication: { content } }: Guide): Promise<Has> {
  const isWebFont = (file: BrandFile) => isFont(file) && file.metadata && file.contentType !== 'font/collection'
  return {
    colors: await content.hasColors(),
    types: await content.hasTypes(),
    pages: (await content.pages()).size > 0,
    files: await hasLibrary(content),
    fonts: (await usableFiles(content)).values().some(isWebFont),
    office: (await content.appearance()).office !== undefined,
    dark: (await content.colors()).some(({ dark }) => dark !== undefined),
  }
}

/** Formats that contain pages, so that a guide with only pages has them. */
const WITH_PAGES: ReadonlySet<string> = new Set(['design-md', 'skill'])
const FOR_AGENTS: ReadonlySet<string> = WITH_PAGES.union(new Set(['brand-json']))

/** Formats about colours with another value on dark grounds. */
const FOR_DARK: ReadonlySet<string> = new Set(['dtcg-dark', 'dtcg-resolver'])

function isPossible({ id, fields }: ExportFormat, has: Has): boolean {
  if (id === 'fonts') return has.fonts
  if (id === 'office') return has.office
  if (FOR_DARK.has(id)) return has.dark
  if (WITH_PAGES.has(id)) return has.colors || has.types || has.pages
  return (has.colors && fields.colors.length > 0) || (has.types && fields.types.length > 0)
}

function downloadRow(name: Word, path: string, file: string): Html {
  return html`<div><span>${name}</span> <a href="${path}" download>${file}</a></div>\n`
}

/** The address for agents, and the setup of common clients; for a private guide also that people then sign in. */
function setupRows(guide: Guide): Html[] {
  const { words, site, publication } = guide
  const address = site.urls.below(publication.record, '/-/mcp')
  const isPublic = publication.published.visibility === 'public'
  return [
    html`<div><details open><summary>${words.use.address}</summary>
${snippetRows(guide, [address])}</details></div>\n`,
    ...(isPublic ? [] : [html`<p class="quiet">${words.use.opensBrowser} ${words.consent.needsAccess}</p>\n`]),
    ...clientSetups(skillName(publication.record), address).map(
      ([client, lines]) => html`<div><details><summary>${client}</summary>
${snippetRows(guide, [lines])}</details></div>\n`,
    ),
  ]
}

function codeRow(guide: Guide, format: ExportFormat): Html {
  const { id, file } = format
  return html`<div><details><summary>${formatName(guide.words, id)}</summary>
${snippetRows(guide, snippetsOf(guide, format))}</details><a href="${exportPath(guide, file)}" download>${file}</a></div>
`
}

function snippetRows({ words: { copy, forms } }: Guide, snippets: readonly string[]): Html[] {
  return snippets.map(
    snippet =>
      html`<div><small><samp>${snippet}</samp></small><button type="button" data-copy>${copy.copy({ what: `${forms.code}` })}</button></div>\n`,
  )
}

/** The name of a format, which differs from all others. */
function formatName({ sections, fields }: Words, id: string): Word {
  const name = NAMES.get(id) ?? id
  const table = TABLES.get(id)
  const part = id === 'dtcg-dark' ? fields.dark : table && sections[table]
  return part ? joinWords([name, part], ' · ') : name
}

/** Formats with the same name, distinguished by the section of their content: `CSV · Colors`, `CSV · Type`. */
const TABLES: ReadonlyMap<string, Section> = new Map([
  ['csv', 'colors'],
  ['csv-types', 'type'],
])

/** Names of programs and formats, the same in every language. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['dtcg', 'Design Tokens'],
  ['dtcg-dark', 'Design Tokens'],
  ['dtcg-resolver', 'Design Tokens Resolver'],
  ['dtcg-legacy', 'Tokens Studio, Penpot'],
  ['css', 'CSS'],
  ['tailwind', 'Tailwind CSS'],
  ['scss', 'Sass'],
  ['fonts', '@font-face'],
  ['ase', 'Adobe'],
  ['gpl', 'GIMP, Inkscape'],
  ['csv', 'CSV'],
  ['csv-types', 'CSV'],
  ['json', 'JSON'],
  ['office', 'Microsoft Office'],
  ['design-md', 'DESIGN.md'],
  ['skill', 'Agent Skill'],
  ['brand-json', 'brand.json'],
  ['brand-yml', 'Quarto, Shiny'],
])

/** Snippets to copy: first for the file that uses a format, then for a terminal, which exports only published content. */
function snippetsOf(guide: Guide, { id, file, isFolder, folderWith }: ExportFormat): string[] {
  const { site, publication } = guide
  const { record, published } = publication
  // Other pages cannot load a private address or the address of a copy, so they need their own file.
  const isPublic = published.visibility === 'public' && !site.copy
  const address = isPublic ? site.urls.below(record, `/-/exports/${file}`) : file
  const out = isFolder || folderWith ? `--out ${id}` : `--out ${file}`
  const copy = folderWith ? ` --${folderWith}` : ''
  const command = `housestyle export ${record.workspace}/${record.project} --to ${id}${copy} ${out}`
  return [...(LINES[id]?.(address, file) ?? []), ...(publication.record.draftOf ? [] : [command])]
}

/** The lines that use a format, keyed by its id: with its public address, or else with its file. */
const LINES: Readonly<Record<string, (address: string, file: string) => string[]>> = {
  css: linkLines,
  fonts: linkLines,
  tailwind: (_, file) => [`@import "tailwindcss";\n@import "./${file}";`],
  scss: () => ['@use "tokens";'],
}

function linkLines(address: string): string[] {
  return [`<link rel="stylesheet" href="${address}">`, `@import url("${address}");`]
}

function exportPath(guide: Guide, file: string): string {
  return pathBelow(guide, `exports/${file}`)
}

/** Clients of the Model Context Protocol, each with at most three lines that connect it to the guide at an address. */
function clientSetups(name: string, url: string): (readonly [client: string, lines: string])[] {
  return [
    ['Claude Code', `claude mcp add --transport http ${name} ${url}`],
    ['Codex', `codex mcp add ${name} --url ${url}`],
    ['Cursor, .cursor/mcp.json', `{ "mcpServers": { "${name}": {\n  "url": "${url}"\n} } }`],
    ['Gemini CLI', `gemini mcp add --transport http ${name} ${url}`],
    ['VS Code, .vscode/mcp.json', `{ "servers": { "${name}": {\n  "type": "http", "url": "${url}"\n} } }`],
  ]
}
