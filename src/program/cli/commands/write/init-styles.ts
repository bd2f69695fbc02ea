import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { type GuideStyles, guideStyles } from '#adopt/conversion/guide-styles.ts'
import type { Source } from '#adopt/conversion/source.ts'
import { colorsYaml, typesYaml } from '#adopt/conversion/style-files.ts'
import { readConfined } from '#adopt/documents/converter.ts'
import { PRINT_KEYS } from '#brand/color.ts'
import { type FoundStyle, type FoundStyles, isInGroup, noteLines } from '#brand/formats/found-styles.ts'
import { template } from '#intake/starter/starter.ts'
import { readAll } from '#platform/base/bytes.ts'
import { errorCode } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { pluralize } from '#platform/base/text.ts'
import { type Arguments, type Io, inputOf, listOption } from '../../command.ts'
import { CommandFailure, describeSystemError } from '../../failure.ts'
import { byteSize, firstLines, visible } from '../../output/text.ts'
import { filesAt, listedPaths, type NewContent, type Target } from './new-folder.ts'

/** The content of a small folder with the styles of files, of tokens only the colours in the groups of `--tokens`. */
export async function styledContent(args: Arguments, io: Io, { folder, name, title, id }: Target): Promise<NewContent> {
  const sources = listOption(args, 'from')
  const { styles, notes } = await readStyles(sources, listOption(args, 'tokens'), io)
  const { colors, types } = styles
  return {
    files: filesAt(styledFiles(title, id, styles)),
    print: ({ paths }) => {
      const lines = notes.map(({ source, message }) => visible(`${source}: ${message}`))
      for (const line of firstLines(lines, MAX_NOTES, more => `and ${more} more`)) io.err(`${line}\n`)
      return {
        json: { folder, files: paths, colors: colors.length, types: types.length, notes },
        text: `${listedPaths(name, paths)}\n${summaryOf(styles, sources)}${fontsToAdd(styles, name)}`,
      }
    },
  }
}

const MAX_NOTES = 200

/** A part of a file that was not understood, or was changed. */
type SourceNote = { source: string; message: string }

/** Reads the styles of files; the path `-` is stdin. Fails if a file cannot be read, or none of them has a style. */
async function readStyles(
  sources: readonly string[],
  groups: readonly string[],
  io: Io,
): Promise<{ styles: GuideStyles; notes: SourceNote[] }> {
  const files: Source[] = []
  for (const [rank, path] of sources.entries())
    files.push({ path: path === '-' ? 'stdin' : path, bytes: await bytesOf(path, io), rank })
  const isChosen = ({ token }: FoundStyle) =>
    groups.length === 0 || token === undefined || groups.some(group => isInGroup(token, group))
  const notes: SourceNote[] = []
  const found: { source: string; styles: FoundStyles }[] = []
  for (const [at, read] of (await readConfined(files, io.signal)).entries()) {
    const source = files[at]?.path ?? ''
    const { kind, message } = read.ok ? NO_STYLE : read.problem
    if (read.ok && read.value.colors.length + read.value.types.length + read.value.notes.size > 0)
      found.push({ source, styles: { ...read.value, colors: read.value.colors.filter(isChosen) } })
    else if (kind === 'damaged' || sources.length === 1)
      throw new CommandFailure(kind === 'unknown' ? 'source_unknown' : 'source_unreadable', `${source} ${message}`)
    else notes.push({ source, message })
  }
  const styles = guideStyles(found.map(each => each.styles))
  if (!styles.ok) throw new CommandFailure('source_unreadable', styles.problem)
  for (const { source, styles } of found) notes.push(...noteLines(styles.notes).map(message => ({ source, message })))
  if (styles.value.colors.length + styles.value.types.length > 0) return { styles: styles.value, notes }
  const why = notes.map(({ source, message }) => `${source}: ${message}`).join('; ')
  throw new CommandFailure('source_empty', `found no colour and no type style in ${sources.join(', ')}; ${why}`)
}

const NO_STYLE = { kind: 'empty', message: 'has no colour and no type style' } as const

/** Reads a file, or stdin for the path `-`. */
export async function bytesOf(path: string, io: Io): Promise<Buffer> {
  const tooLarge = () =>
    new CommandFailure('source_unreadable', `${path} has more than ${byteSize(MAX_BYTES)}; name a smaller file`)
  try {
    const stream = path === '-' ? inputOf(io) : createReadStream(resolve(io.folder, path), { signal: io.signal })
    return await readAll(stream, MAX_BYTES, tooLarge)
  } catch (error) {
    throw readFailure(error, path)
  }
}

function readFailure(error: unknown, path: string): unknown {
  const why = REASONS[errorCode(error)]
  if (why !== undefined) return new CommandFailure('source_unreadable', `cannot read ${visible(path)}: ${why}`)
  const message = describeSystemError(error, path)
  return message === undefined ? error : new CommandFailure('system_error', message)
}

const MAX_BYTES = 16 << 20
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
}

/** The files of a brand folder with these styles, keyed by path. Fails if a styles file would be too large. */
function styledFiles(name: string, id: string, { colors, types }: GuideStyles): Readonly<Record<string, string>> {
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
    if (size <= MAX_YAML_BYTES) continue
    const message = `${path} would have ${byteSize(size)}, and may have ${byteSize(MAX_YAML_BYTES)}; take styles from a smaller file`
    throw new CommandFailure('source_unreadable', message)
  }
  return files
}

/** The size limit of a styles file, without the line that names its schema. */
const MAX_YAML_BYTES = (4 << 20) - 100

const ABOUT_COLORS = `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. group: its heading on the website. on: the backgrounds it may be used on.
`
const ABOUT_TYPES = `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/. weight: 1 to 1000, or a name as SemiBold.
`

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
  const shown = families.slice(0, MAX_FAMILIES).map(visible).join(', ')
  const more = families.length > MAX_FAMILIES ? ` and ${families.length - MAX_FAMILIES} more` : ''
  return `Add the fonts: put the files of ${shown}${more} into ${visible(join(name, 'files/fonts'))}\n`
}

const MAX_FAMILIES = 5
