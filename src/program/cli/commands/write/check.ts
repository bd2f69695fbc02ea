import { resolve } from 'node:path'
import type { Draft } from '#brand/draft.ts'
import { dayOf, filename, isLightName } from '#brand/file.ts'
import { type Finding, RULES } from '#brand/finding.ts'
import { ownAccent } from '#brand/styles/contrast.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { attempt } from '#platform/base/result.ts'
import { findBrandFolder, withReadOptions } from '../../brand-folder.ts'
import { type Arguments, FINDING_FORMATS, formatOption, hasFlag, type Io, type Run } from '../../command.ts'
import { afterCheck, findingLine, findingSummary, hasErrors, printJson, printNextSteps } from '../../output/output.ts'
import { paint, visible } from '../../output/text.ts'
import { type CommandSettings, loadSettings, readPlainFile } from '../../settings.ts'
import { byError, githubAnnotations, relativeToRepository, sarifLog, typedPath } from './annotations.ts'
import { printDiff, proveFix } from './edit-file.ts'
import { fixInks } from './fix-inks.ts'

export const run: Run = async (args, io) => {
  const format = formatOption(args, FINDING_FORMATS)
  proveFix(args)
  const settings = await loadSettings(args, io)
  const name = args.operands[0] ?? '.'
  const folder = await findBrandFolder(name, io)
  const command = { settings, args, io }
  const checked = await checkFolder(folder, name, command)
  if (!hasFlag(args, 'fix')) return report({ ...checked, folder, name }, format, command)
  const isWritten = hasFlag(args, 'write')
  const { diffs, problems } = await fixInks(folder, checked.findings, io.folder, isWritten)
  // Stdout has the diffs, for `patch`, or the findings in another format.
  for (const diff of diffs) printDiff(diff, format === 'text' ? io.out : io.err, io)
  for (const problem of problems) io.err(`${visible(problem)}\n`)
  const remaining = isWritten ? await checkFolder(folder, name, command) : checked
  const printed = format === 'text' ? { ...io, out: io.err } : io
  const code = report({ ...remaining, folder, name }, format, { ...command, io: printed })
  return Math.max(code, Math.min(problems.length, 1))
}

/** Prints what was found; returns the exit code. */
function report(checked: Checked, format: (typeof FINDING_FORMATS)[number], { args, io }: Command): number {
  REPORTS[format](checked, args, io)
  return hasErrors(checked.findings) || (hasFlag(args, 'strict') && checked.findings.length > 0) ? 1 : 0
}

type Command = { settings: CommandSettings; args: Arguments; io: Io }

/** Reads a folder, and finds the advice for the first project that needs some. */
async function checkFolder(folder: string, name: string, { settings, args, io }: Command) {
  let advice: string | undefined
  const draft = (project: Draft) => {
    advice ??= themeAdvice(project, name)
  }
  const { findings, projects } = await withReadOptions(settings, io, options =>
    readBrandFolder(folder, {
      ...options,
      targetFor: () => ({ ...noTarget, draft }),
      isForExport: hasFlag(args, 'exports'),
      today: dayOf(new Date()),
      reportsExpiry: true,
    }),
  )
  return { findings, projects, advice }
}

type Checked = Awaited<ReturnType<typeof checkFolder>> & { folder: string; name: string }
type PrintReport = (checked: Checked, args: Arguments, io: Io) => void

const REPORTS: Readonly<Record<(typeof FINDING_FORMATS)[number], PrintReport>> = {
  text: ({ findings, projects, advice, name }, args, io) => {
    printText(findings, name, io)
    io.err(`${findingSummary(findings)} in ${projects.join(', ') || 'this folder'}\n`)
    if (advice !== undefined) io.err(`${advice}\n`)
    printNextSteps(afterCheck(findings, name), args, io)
  },
  json: ({ findings }, _, io) => printJson(io, findings),
  sarif: ({ findings, folder }, _, io) => printJson(io, sarifLog(relativeToRepository(findings, folder), RULES)),
  github: ({ findings, folder }, _, io) => io.out(githubAnnotations(relativeToRepository(findings, folder))),
}

/** Prints findings for people: grouped on a terminal, otherwise one line each, as other programs read them. */
function printText(findings: readonly Finding[], folder: string, io: Io): void {
  const withTypedPaths = findings.map(finding => ({ ...finding, path: typedPath(finding.path, folder) }))
  if (io.hasColor.out || io.isOutTerminal === true) io.out(groupedFindings(withTypedPaths, io))
  else for (const finding of withTypedPaths) io.out(findingLine(finding, false))
}

/**
 * Advice to set a theme, for a project without one that has a logo and colours; otherwise undefined. Suggests the first
 * colour legible on white as its accent.
 */
export function themeAdvice({ theme, isNeutral, colors, files, source }: Draft, folder: string): string | undefined {
  const logos = files.filter(({ path }) => /^files\/.*logo/i.test(path) && !isLightName(filename(path)))
  const logo = LOGO_TYPES.flatMap(type => logos.find(file => file.contentType === type) ?? [])[0]
  if (theme !== undefined || isNeutral || colors.length === 0 || !logo) return undefined
  const accent = ownAccent(colors)
  const keys = [`logo: ${scalar(logo.path)}`, ...(accent ? [`accent: ${scalar(accent.id)}`] : [])]
  const path = typedPath(source.folder === '' ? 'project.yaml' : `${source.folder}/project.yaml`, folder)
  return visible(`advice: for a website in the brand's look, write this into ${path}: theme: { ${keys.join(', ')} }`)
}

/** The types of logos, the most suitable first. */
const LOGO_TYPES = ['image/svg+xml', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/jpeg'] as const

/** A string in a YAML flow mapping: in quotes unless it is a plain word, and not one that YAML 1.1 reads as another type. */
function scalar(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

/** Findings for a terminal: file by file, those with errors first, and below each finding the text of its line. */
function groupedFindings(findings: readonly Finding[], io: Io): string {
  const files = [...Map.groupBy(findings, ({ path }) => path)].map(([path, group]) => {
    return { path, group: group.toSorted(byError), hasError: hasErrors(group) }
  })
  files.sort((a, b) => Number(b.hasError) - Number(a.hasError))
  return files.map(({ path, group }) => groupText(path, group, io)).join('\n')
}

/** The findings of a file: `guidelines/colors.yaml`, then each finding, and the text of its line. */
function groupText(path: string, group: readonly Finding[], { folder, columns, hasColor }: Io): string {
  const lines = group.some(({ line }) => line !== null)
    ? attempt(() => readPlainFile(resolve(folder, path)).split(/\r?\n|\r/))
    : undefined
  const texts = group.map(finding => {
    const text = finding.line === null ? '' : visible((lines?.[finding.line - 1] ?? '').trim())
    const cut = [...text].slice(0, Math.max(MIN_COLUMNS, columns - MARGIN.length)).join('')
    const shown = findingLine(finding, hasColor.out)
    return cut === '' ? shown : `${shown}${MARGIN}${paint(hasColor.out, 'dim', cut)}\n`
  })
  return `${paint(hasColor.out, 'bold', visible(path))}\n${texts.map(text => `  ${text}`).join('')}`
}

const MARGIN = '      '
/** The least text that is shown of a line, on however narrow a terminal. */
const MIN_COLUMNS = 20
