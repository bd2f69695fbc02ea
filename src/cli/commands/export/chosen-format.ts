import { quote } from '../../../base/text.ts'
import type { CommandFormat, CommandOptions, ExportFormat, ExportOptions } from '../../../export/format.ts'
import { COMMAND_FORMATS, FORMATS } from '../../../export/formats.ts'
import { nearest } from '../../../intake/yaml/nearest.ts'
import { type Arguments, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'

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
  throw new CommandFailure(
    'usage',
    id === undefined ? `--to: name a format, one of ${known}` : `--to: ${quote(id)} is not one of ${known}${help}`,
  )
}

type OptionName = keyof ExportOptions | keyof CommandOptions
const OPTIONS: readonly OptionName[] = ['prefix', 'copy', 'private', 'chromium', 'landscape']

function refuseOthers({ options }: Arguments, format: ExportFormat | CommandFormat): void {
  const takes = (each: ExportFormat | CommandFormat, name: OptionName) => each.options.some(option => option === name)
  for (const name of OPTIONS) {
    if (options[name] === undefined || takes(format, name)) continue
    const takers = ALL_FORMATS.flatMap(each => (takes(each, name) ? [each.id] : []))
    throw new CommandFailure('usage', `--${name} is for ${takers.join(', ')}, not for ${format.id}`)
  }
}
