import type {
  CommandFormat,
  CommandOptions,
  ExportedFile,
  ExportFormat,
  ExportOptions,
} from '#delivery/export/format.ts'
import { COMMAND_FORMATS, FORMATS } from '#delivery/export/formats.ts'
import { makeExport } from '#delivery/export/make-export.ts'
import { nearest } from '#intake/yaml/nearest.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { withExport } from '../../../compose/export.ts'
import { type Arguments, hasFlag, type Io, type Output, type Run, textOption } from '../../command.ts'
import { CommandFailure, Misuse } from '../../failure.ts'
import { table, visible } from '../../output/text.ts'
import {
  type ExportedProject,
  exportOutput,
  placeFor,
  withExportedProject,
  withOptions,
  writeExport,
  writtenLines,
} from './exported-project.ts'

export const run: Run = async (args, io) => {
  if (hasFlag(args, 'list')) return list()
  const format = chosenFormat(args)
  if ('load' in format) return exportTo(format, args, io)
  return (await import('./command-formats.ts')).exportCommandFormat(format, args, io)
}

async function exportTo(format: ExportFormat, args: Arguments, io: Io): Promise<Output> {
  const options = optionsOf(args)
  const formatWithOptions = withOptions(format, options)
  const place = placeFor(args, formatWithOptions, io)
  return withExportedProject(args, io, exported =>
    withExport(exported.store, exported.record, exported.urls, async opened => {
      const made = await makeExport(format, { ...opened.source, options })
      if (!made.ok) throw new CommandFailure('export_impossible', `${format.id} of ${exported.name}: ${made.problem}`)
      const { leftOut } = made.value
      const files = await writeExport(place, formatWithOptions, made.value, { ...opened, io })
      const warnings = warningsAbout(made.value.files, exported)
      const lines = leftOut.map(each => `left out of ${format.file}: ${visible(each)}`)
      lines.push(...(await writtenLines(files)))
      return exportOutput(exported, { format: format.id, files, leftOut, warnings }, lines, io)
    }),
  )
}

/** Searches only generated files, because files of the project contain no addresses of the service. */
function warningsAbout(files: readonly ExportedFile[], { local }: ExportedProject): string[] {
  for (const { path, content } of files) if (content instanceof Uint8Array) local.look(path, content)
  return local.warnings()
}

function list(): Output {
  return {
    json: ALL_FORMATS.map(format => {
      const { id, file, contentType, summary, isFolder } = format
      return { id, file, contentType, summary, isFolder, isServed: 'load' in format }
    }),
    text: table(ALL_FORMATS.map(({ id, file, summary }) => [id, file, summary])),
  }
}

/** The options of formats. Absent flags are left out. */
function optionsOf(args: Arguments): ExportOptions {
  const prefix = textOption(args, 'prefix')
  const options = withoutUndefined({ prefix, copy: hasFlag(args, 'copy') || undefined })
  if (prefix !== undefined && !/^[a-z][a-z0-9]{0,31}$/.test(prefix))
    throw new Misuse(`--prefix: ${quote(prefix)} must be at most 32 characters, a-z and digits, with a letter first`)
  return options
}

/** All formats: first the service's formats, then the formats of this command only. */
export const ALL_FORMATS: readonly (ExportFormat | CommandFormat)[] = [...FORMATS, ...COMMAND_FORMATS]

/** The format that `--to` names. Refuses options of other formats. */
export function chosenFormat(args: Arguments): ExportFormat | CommandFormat {
  const id = textOption(args, 'to')
  const format = ALL_FORMATS.find(each => each.id === id)
  if (format) {
    refuseOthers(args, format)
    return format
  }
  const ids = ALL_FORMATS.map(each => each.id)
  const known = ids.join(', ')
  const meant = nearest(id ?? '', ids)
  const help = meant === undefined ? '' : `; did you mean ${quote(meant)}?`
  throw new Misuse(
    id === undefined ? `--to: name a format, one of ${known}` : `--to: ${quote(id)} is not one of ${known}${help}`,
  )
}

type OptionName = keyof ExportOptions | keyof CommandOptions
const OPTIONS: readonly OptionName[] = ['prefix', 'copy', 'private', 'chromium', 'landscape']

function refuseOthers({ options }: Arguments, format: ExportFormat | CommandFormat): void {
  const takes = (each: ExportFormat | CommandFormat, name: OptionName) => each.options.some(option => option === name)
  for (const name of OPTIONS) {
    if (options[name] === undefined || takes(format, name)) continue
    const takers = ALL_FORMATS.filter(each => takes(each, name)).map(each => each.id)
    throw new Misuse(`--${name} is for ${takers.join(', ')}, not for ${format.id}`)
  }
}
