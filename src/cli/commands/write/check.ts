import { quote } from '../../../base/text.ts'
import type { Draft } from '../../../brand/draft.ts'
import { type BrandFile, dayOf, isPicture } from '../../../brand/file.ts'
import { contrastOf } from '../../../brand/styles/contrast.ts'
import { MIN_CONTRAST, NEUTRAL } from '../../../brand/styles/theme-contrast.ts'
import { readBrandFolder } from '../../../intake/brand-folder.ts'
import { pictureFormatProblem } from '../../../intake/media/picture-format.ts'
import { noTarget } from '../../../intake/reading.ts'
import { findBrandFolder, withReadOptions } from '../../brand-folder.ts'
import { FINDING_FORMATS, hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { findingLine, findingSummary, hasErrors } from '../../output/findings.ts'
import { printJson } from '../../output/json.ts'
import { afterCheck, printNextSteps } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'
import { githubAnnotations, relativeToRepository, sarifLog, typedPath } from './annotations.ts'
import { groupedFindings } from './grouped-findings.ts'

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

/**
 * The advice for a project that has colours and a logo but no theme: what to write, and in which file. The accent is the
 * first colour that is legible on white. Undefined for other projects. `folder` is the brand folder as the user typed it.
 */
export function themeAdvice({ theme, colors, files, source }: Draft, folder: string): string | undefined {
  const logo = files.find(isLogo)
  if (theme !== undefined || colors.length === 0 || !logo) return undefined
  const accent = colors.find(({ hex }) => contrastOf(hex, NEUTRAL.ground).ratio >= MIN_CONTRAST)
  const keys = [`logo: ${scalar(logo.path)}`, ...(accent ? [`accent: ${scalar(accent.id)}`] : [])]
  const path = typedPath(source.folder === '' ? 'project.yaml' : `${source.folder}/project.yaml`, folder)
  return visible(`advice: for a website in the brand's look, write this into ${path}: theme: { ${keys.join(', ')} }`)
}

/** Whether a file is below `files/`, has "logo" in its path there, and can be the logo of a theme. */
function isLogo(file: BrandFile): boolean {
  return /^files\/.*logo/i.test(file.path) && isPicture(file) && !pictureFormatProblem('', file.contentType, null)
}

/** A string in a YAML flow mapping, in quotes if necessary. */
function scalar(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
