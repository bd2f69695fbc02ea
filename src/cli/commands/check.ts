import { quote } from '../../base/text.ts'
import { noTarget, readBrandFolder } from '../../intake/brand-folder.ts'
import { keepHeapSmall } from '../../intake/small-heap.ts'
import { findBrandFolder, withReadOptions } from '../brand-folder.ts'
import { hasFlag, type Run, textOption } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { findingLine, findingSummary, hasErrors } from '../output/findings.ts'
import { githubAnnotations } from '../output/github.ts'
import { printJson } from '../output/json.ts'
import { sarifLog } from '../output/sarif.ts'
import { loadSettings } from '../settings/settings.ts'

const FORMATS = ['text', 'json', 'sarif', 'github'] as const

/** `check [folder]` */
export const run: Run = async (args, io) => {
  keepHeapSmall()
  const wanted = textOption(args, 'format') ?? (hasFlag(args, 'json') ? 'json' : 'text')
  const format = FORMATS.find(each => each === wanted)
  if (!format) throw new CommandFailure('usage', `--format: ${quote(wanted)} is not one of ${FORMATS.join(', ')}`)
  const settings = await loadSettings(args, io)
  const folder = await findBrandFolder(args.operands[0] ?? '.', io)
  const { findings, projects } = await withReadOptions(settings, io, options =>
    readBrandFolder(folder, { ...options, targetFor: () => noTarget }),
  )
  if (format === 'json') printJson(io, findings)
  else if (format === 'sarif') printJson(io, sarifLog(findings))
  else if (format === 'github') io.out(githubAnnotations(findings))
  else for (const finding of findings) io.out(findingLine(finding, io.hasColor.out))
  if (format === 'text') io.err(`${findingSummary(findings)} in ${projects.join(', ') || 'this folder'}\n`)
  return hasErrors(findings) || (hasFlag(args, 'strict') && findings.length > 0) ? 1 : 0
}
