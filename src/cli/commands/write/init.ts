import { basename, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pluralize } from '../../../base/text.ts'
import { isWorkspaceId } from '../../../brand/ids.ts'
import { slug } from '../../../brand/slug.ts'
import type { GuideStyles } from '../../../conversion/guide-styles.ts'
import { listOption, type Run } from '../../command.ts'
import type { Io } from '../../io.ts'
import { folderOperand } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { requireEmpty, writeNewFolder } from './new-folder.ts'
import { starterFiles, styledFiles, withSchemas } from './starter.ts'
import type { SourceNote } from './style-sources.ts'

/** `init [folder] [--from <file>]` */
export const run: Run = async (args, io) => {
  const name = args.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  await requireEmpty(folder, name)
  const [title, id] = [titleOf(basename(folder)), idOf(basename(folder))]
  const sources = listOption(args, 'from')
  const taken = sources.length > 0 ? await takeStyles(title, id, sources, io) : undefined
  const files = withSchemas(taken?.files ?? starterFiles(title, id))
  await setImmediate() // Handles a pending signal, because the code below is synchronous.
  io.signal.throwIfAborted()
  writeNewFolder(folder, files)
  const paths = Object.keys(files)
  if (taken) printNotes(taken.notes, io)
  const listed = paths.map(path => `${visible(join(name, path))}\n`).join('')
  return {
    json: { folder, files: paths, ...(taken && countsOf(taken)) },
    text: taken ? `${listed}\n${summaryOf(taken.styles, sources)}${fontsToAdd(taken.styles, name)}` : listed,
    next: [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }],
  }
}

/** The files of a folder with styles of other tools. Loads the readers only here. */
async function takeStyles(
  title: string,
  id: string,
  sources: readonly string[],
  io: Io,
): Promise<Taken & { files: Readonly<Record<string, string>> }> {
  const { readStyles } = await import('./style-sources.ts')
  const taken = await readStyles(sources, io)
  return { ...taken, files: await styledFiles(title, id, taken.styles) }
}

type Taken = { styles: GuideStyles; notes: readonly SourceNote[] }

/** Prints a line for each part that was not understood, up to a limit. */
function printNotes(notes: readonly SourceNote[], io: Io): void {
  for (const { source, message } of notes.slice(0, MAX_NOTES)) io.err(`${visible(`${source}: ${message}`)}\n`)
  if (notes.length > MAX_NOTES) io.err(`and ${notes.length - MAX_NOTES} more\n`)
}

const MAX_NOTES = 50

function countsOf({ styles, notes }: Taken) {
  return { colors: styles.colors.length, types: styles.types.length, notes }
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

function idOf(folder: string): string {
  const id = slug(folder)
  return isWorkspaceId(id) ? id : 'brand'
}

/** The name of a folder as a title: `our-brand` becomes `Our brand`. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
