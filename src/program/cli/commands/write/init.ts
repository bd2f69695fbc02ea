import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isStyleFile } from '#adopt/conversion/file-names.ts'
import type { GuideStyles } from '#adopt/conversion/guide-styles.ts'
import type { NewFile } from '#adopt/sources/source.ts'
import { writeWhole } from '#adopt/write.ts'
import { PRINT_KEYS } from '#brand/color.ts'
import { isWorkspaceId, slug } from '#brand/ids.ts'
import { schemaFiles } from '#intake/schema/folder-schemas.ts'
import { starterFiles, template } from '#intake/starter/starter.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { pluralize } from '#platform/base/text.ts'
import { type Arguments, hasFlag, type Io, listOption, type Run } from '../../command.ts'
import { CommandFailure, Misuse } from '../../failure.ts'
import { folderOperand } from '../../output/output.ts'
import { byteSize, firstLines, visible } from '../../output/text.ts'
import type { SourceNote } from './style-sources.ts'

export const run: Run = async (args, io) => {
  const name = args.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  await requireEmpty(folder, name)
  const title = titleOf(basename(folder))
  const id = [slug(basename(folder)), 'brand'].find(isWorkspaceId) ?? 'brand'
  const sources = listOption(args, 'from')
  const isDry = hasFlag(args, 'dryRun')
  if (sources.length === 0 && (isDry || ['exclude', 'tokens'].some(option => listOption(args, option).length > 0)))
    throw new Misuse('--exclude, --tokens and --dry-run need --from: name what you have')
  if (!sources.every(isOfStyles)) {
    const { initFrom } = await import('./init-from.ts')
    return initFrom(args, io, { folder, name, title, id, withSchemas })
  }
  const taken = sources.length > 0 ? await takeStyles(sources, args, io) : undefined
  const files = withSchemas(taken ? await styledFiles(title, id, taken.styles) : starterFiles(title, id))
  if (!isDry) await writeWhole(folder, files, { signal: io.signal })
  const paths = files.map(({ to }) => to)
  if (taken) printNotes(taken.notes, io)
  const listed = paths.map(path => `${visible(join(name, path))}\n`).join('')
  return {
    json: { folder, files: paths, ...(taken && { ...countsOf(taken.styles), notes: taken.notes }) },
    text: taken ? `${listed}\n${summaryOf(taken.styles, sources)}${fontsToAdd(taken.styles, name)}` : listed,
    next: isDry ? [] : [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }],
  }
}

/** Whether a source is a file with styles, or stdin, which make a smaller folder. */
function isOfStyles(source: string): boolean {
  return source === '-' || isStyleFile(source) || /\.(?:txt|ya?ml)$/i.test(source)
}

/** Loads the readers of styles of other tools only here. */
async function takeStyles(sources: readonly string[], args: Arguments, io: Io) {
  const { readStyles } = await import('./style-sources.ts')
  return readStyles(sources, listOption(args, 'tokens'), io)
}

function printNotes(notes: readonly SourceNote[], io: Io): void {
  const lines = notes.map(({ source, message }) => visible(`${source}: ${message}`))
  for (const line of firstLines(lines, MAX_NOTES, more => `and ${more} more`)) io.err(`${line}\n`)
}

const MAX_NOTES = 200

function countsOf({ colors, types }: GuideStyles) {
  return { colors: colors.length, types: types.length }
}

function summaryOf({ colors, types }: GuideStyles, sources: readonly string[]): string {
  const counts = [
    colors.length > 0 && pluralize(colors.length, 'colour'),
    types.length > 0 && pluralize(types.length, 'type style'),
  ]
  return `${counts.filter(Boolean).join(' and ')} from ${sources.map(visible).join(', ')}\n`
}

function fontsToAdd({ types }: GuideStyles, name: string): string {
  const families = [...new Set(types.flatMap(({ family }) => family ?? []))]
  if (families.length === 0) return ''
  const more = families.length > MAX_FAMILIES ? ` and ${families.length - MAX_FAMILIES} more` : ''
  const shown = families.slice(0, MAX_FAMILIES).map(visible).join(', ')
  return `Add the fonts: put the files of ${shown}${more} into ${visible(join(name, 'files/fonts'))}\n`
}

const MAX_FAMILIES = 5

/** The name of a folder as a title: `our-brand` becomes `Our brand`. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Refuses a folder that is not empty, apart from names such as `.git`. `name` is the folder as the user typed it. */
async function requireEmpty(folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) return
  const why = statSync(folder).isDirectory()
    ? (await readdir(folder)).some(entry => !entry.startsWith('.')) && 'is not empty: name a new folder'
    : 'is not a folder: name a new one'
  if (why)
    throw new CommandFailure('folder_not_empty', `${visible(name)} ${why}, for example with \`housestyle init acme\``)
}

/** The files of a brand folder with these styles, keyed by path. Fails if a styles file would be too large. */
async function styledFiles(
  name: string,
  id: string,
  { colors, types }: GuideStyles,
): Promise<Readonly<Record<string, string>>> {
  const { colorsYaml, typesYaml } = await import('#adopt/conversion/style-files.ts')
  const links = [
    ...(colors.length > 0 ? ['- [Colours](../styles/colors.yaml)\n'] : []),
    ...(types.length > 0 ? ['- [Type](../styles/types.yaml)\n'] : []),
  ]
  const files = withoutUndefined({
    'workspace.yaml': template('starter/workspace.yaml', name, id),
    'project.yaml': template('styled/project.yaml', name, id),
    'pages/index.md': template('styled/pages/index.md', name, id) + links.join(''),
    'styles/colors.yaml': colors.length > 0 ? ABOUT_COLORS + colorsYaml(colors) : undefined,
    'styles/types.yaml': types.length > 0 ? ABOUT_TYPES + typesYaml(types) : undefined,
  })
  for (const [path, content] of Object.entries(files)) {
    const size = Buffer.byteLength(content)
    if (size <= MAX_BYTES) continue
    const message = `${path} would have ${byteSize(size)}, and may have ${byteSize(MAX_BYTES)}; take styles from a smaller file`
    throw new CommandFailure('source_unreadable', message)
  }
  return files
}

/** The size limit of a styles file, without the line that names its schema. */
const MAX_BYTES = (4 << 20) - 100

const ABOUT_COLORS = `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. group: its heading on the website. on: the backgrounds it may be used on.
`
const ABOUT_TYPES = `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/. weight: 1 to 1000, or a name as SemiBold.
`

/** Imports ignore this folder. */
const FOLDER = '_schemas'

/** Adds the JSON Schemas, and to each YAML file a line for `yaml-language-server`, which most editors use. */
function withSchemas(files: Readonly<Record<string, string>>): NewFile[] {
  const schemas = schemaFiles()
  const names = new Set(schemas.map(({ name }) => name))
  const written = Object.entries(files).map(([to, content]) => {
    const schema = to.replace(/^.*\//, '').replace(/\.yaml$/, '.json')
    if (!to.endsWith('.yaml') || !names.has(schema)) return { to, content }
    const up = '../'.repeat(to.split('/').length - 1)
    return { to, content: `# yaml-language-server: $schema=${up}${FOLDER}/${schema}\n${content}` }
  })
  return [...written, ...schemas.map(({ name, text }) => ({ to: `${FOLDER}/${name}`, content: text }))]
}
