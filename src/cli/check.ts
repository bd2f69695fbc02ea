import { quote } from '../base/text.ts'
import { noTarget, readBrandFolder } from '../intake/brand-folder.ts'
import { keepHeapSmall } from '../intake/small-heap.ts'
import { isGiven, type Run, textOption } from './command.ts'
import { UsageFailure } from './failure.ts'
import { githubAnnotations } from './github.ts'
import { printJson } from './io.ts'
import { brandFolder, findingLine, findingSummary, hasErrors, whileReading } from './reading.ts'
import { sarifLog } from './sarif.ts'
import { settingsOf } from './settings.ts'

const FORMATS = ['text', 'json', 'sarif', 'github'] as const

/** `check [folder]` */
export const run: Run = async (args, io) => {
  keepHeapSmall()
  const wanted = textOption(args, 'format') ?? (isGiven(args, 'json') ? 'json' : 'text')
  const format = FORMATS.find(each => each === wanted)
  if (!format) throw new UsageFailure(`--format: ${quote(wanted)} is not one of ${FORMATS.join(', ')}`)
  const settings = await settingsOf(args, io)
  const folder = await brandFolder(args.operands[0] ?? '.', io)
  const { findings, projects } = await whileReading(settings, io, options =>
    readBrandFolder(folder, { ...options, targetFor: () => noTarget }),
  )
  if (format === 'json') printJson(io, findings)
  else if (format === 'sarif') printJson(io, sarifLog(findings))
  else if (format === 'github') io.out(githubAnnotations(findings))
  else for (const finding of findings) io.out(findingLine(finding, io.hasColor.out))
  if (format === 'text') io.err(`${findingSummary(findings)} in ${projects.join(', ') || 'this folder'}\n`)
  return hasErrors(findings) || (isGiven(args, 'strict') && findings.length > 0) ? 1 : 0
}
