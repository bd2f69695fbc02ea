import { quote } from '../../../base/text.ts'
import type { Draft } from '../../../brand/draft.ts'
import { dayOf } from '../../../brand/file.ts'
import { readBrandFolder } from '../../../intake/brand-folder.ts'
import { noTarget } from '../../../intake/reading.ts'
import { findBrandFolder, withReadOptions } from '../../brand-folder.ts'
import { FINDING_FORMATS, hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { findingLine, findingSummary, hasErrors } from '../../output/findings.ts'
import { printJson } from '../../output/json.ts'
import { afterCheck, printNextSteps } from '../../output/output.ts'
import { loadSettings } from '../../settings/settings.ts'
import { githubAnnotations, relativeToRepository, sarifLog, typedPath } from './annotations.ts'
import { groupedFindings } from './grouped-findings.ts'
import { themeAdvice } from './theme-advice.ts'

/** `check [folder]` */
export const run: Run = async (args, io) => {
  const wanted = textOption(args, 'format') ?? (hasFlag(args, 'json') ? 'json' : 'text')
  const format = FINDING_FORMATS.find(each => each === wanted)
  if (!format)
    throw new CommandFailure('usage', `--format: ${quote(wanted)} is not one of ${FINDING_FORMATS.join(', ')}`)
  const settings = await loadSettings(args, io)
  const name = args.operands[0] ?? '.'
  const folder = await findBrandFolder(name, io)
  let advice: string | undefined
  const draft = (read: Draft) => {
    advice ??= themeAdvice(read, name)
  }
  const { findings, projects } = await withReadOptions(settings, io, options =>
    readBrandFolder(folder, {
      ...options,
      targetFor: () => ({ ...noTarget, draft }),
      isForExport: hasFlag(args, 'exports'),
      today: dayOf(new Date()),
    }),
  )
  if (format === 'json') printJson(io, findings)
  else if (format === 'sarif') printJson(io, sarifLog(relativeToRepository(findings, folder)))
  else if (format === 'github') io.out(githubAnnotations(relativeToRepository(findings, folder)))
  else {
    if (io.hasColor.out || io.isOutTerminal === true)
      io.out(groupedFindings(findings, folder, ({ path }) => typedPath(path, name), io))
    else for (const finding of findings) io.out(findingLine({ ...finding, path: typedPath(finding.path, name) }, false))
    io.err(`${findingSummary(findings)} in ${projects.join(', ') || 'this folder'}\n`)
    if (advice !== undefined) io.err(`${advice}\n`)
    printNextSteps(afterCheck(findings, name), args, io)
  }
  return hasErrors(findings) || (hasFlag(args, 'strict') && findings.length > 0) ? 1 : 0
}
