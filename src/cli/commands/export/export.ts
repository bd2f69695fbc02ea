import { quote } from '../../../base/text.ts'
import type { ExportFormat, ExportOptions } from '../../../export/format.ts'
import { FORMATS } from '../../../export/formats.ts'
import { type Arguments, hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { EXIT } from '../../failure-codes.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { withExported } from './exported-project.ts'
import { placeFor, withOptions, writeExport } from './write-export.ts'

/** `export [workspace/project]` */
export const run: Run = async (args, io) => {
  if (hasFlag(args, 'list')) return list(args, io)
  const format = formatOf(args)
  const options = optionsOf(args, format)
  const asked = withOptions(format, options)
  const place = placeFor(textOption(args, 'out'), asked, io)
  if (hasFlag(args, 'json') && place.kind === 'stdout')
    throw new CommandFailure('usage', '--json says what was written: name a file or folder with --out, or use --list')
  return withExported(args, io, async ({ name, opened }) => {
    const make = await format.load()
    const made = await make({ ...opened.source, options })
    if (!made.ok) throw new CommandFailure('export_impossible', `${format.id} of ${name}: ${made.problem}`)
    const { files, leftOut } = made.value
    const written = await writeExport(place, asked, files, { ...opened, io })
    const { revision, snapshot } = opened.source.publication.published
    if (hasFlag(args, 'json'))
      printJson(io, {
        project: name,
        format: format.id,
        revision: opened.source.isPublished ? revision : null,
        snapshot,
        files: written,
        leftOut,
      })
    else for (const each of leftOut) io.err(`left out of ${format.file}: ${visible(each)}\n`)
    return EXIT.done
  })
}

function list(args: Arguments, io: Io): number {
  if (hasFlag(args, 'json'))
    printJson(
      io,
      FORMATS.map(({ id, file, contentType, summary, isFolder }) => ({ id, file, contentType, summary, isFolder })),
    )
  else io.out(table(FORMATS.map(({ id, file, summary }) => [id, file, summary])))
  return EXIT.done
}

function formatOf(args: Arguments): ExportFormat {
  const id = textOption(args, 'to')
  const format = FORMATS.find(each => each.id === id)
  if (format) return format
  const known = FORMATS.map(each => each.id).join(', ')
  throw new CommandFailure(
    'usage',
    id === undefined ? `--to: name a format, one of ${known}` : `--to: ${quote(id)} is not one of ${known}`,
  )
}

/** The options of the format. One that the format does not take is refused, not ignored. */
function optionsOf(args: Arguments, format: ExportFormat): ExportOptions {
  const prefix = textOption(args, 'prefix')
  const options = { ...(prefix !== undefined && { prefix }), ...(hasFlag(args, 'copy') && { copy: true }) }
  for (const name of Object.keys(options))
    if (!format.options.some(each => each === name)) {
      const takers = FORMATS.flatMap(({ id, options }) => (options.some(each => each === name) ? [id] : []))
      throw new CommandFailure('usage', `--${name} is for ${takers.join(', ')}, not for ${format.id}`)
    }
  if (prefix !== undefined && !/^[a-z][a-z0-9]{0,31}$/.test(prefix))
    throw new CommandFailure('usage', `--prefix: ${quote(prefix)} is not a-z and digits, a letter first, 32 at most`)
  return options
}
