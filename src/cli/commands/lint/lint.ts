import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, OperationalError } from '../../../base/error.ts'
import { pluralize, quote } from '../../../base/text.ts'
import { openLintedBrand } from '../../../compose/lint.ts'
import { type Baseline, baselineOf, parseBaseline, withoutBaselined } from '../../../lint/baseline.ts'
import type { LintFinding } from '../../../lint/finding.ts'
import { createPathFilter } from '../../../lint/ignore.ts'
import { type Linter, openLinter } from '../../../lint/linter.ts'
import { NO_OLD_FILES } from '../../../lint/old-files.ts'
import { type Arguments, hasFlag, type Io, type Run, textOption } from '../../command.ts'
import { CommandFailure, EXIT, type FailureCode } from '../../failure.ts'
import { findingSummary, hasErrors, printJson, withProgress } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { withExportedProject } from '../export/exported-project.ts'
import { githubAnnotations, relativeToRepository, sarifLog } from '../write/annotations.ts'
import { findFiles, pathIn } from './find-files.ts'
import { fixFiles } from './fix-files.ts'
import { type Linted, lintFiles } from './lint-files.ts'
import { annotated, lintLine, markdownReport, SARIF_RULES } from './lint-output.ts'

/** `lint <paths...>` */
export const run: Run = async (args, io) => {
  const format = formatOf(args)
  if (hasFlag(args, 'write') && !hasFlag(args, 'fix')) throw new CommandFailure('usage', '--write: add --fix')
  const baseline = await readBaseline(textOption(args, 'baseline'), io)
  const linter = openLinter({ timeoutMs: 9000, maxProcesses: 2, maxWaiting: Number.MAX_SAFE_INTEGER })
  const { linted, diff } = await compare(args, io, linter).finally(linter.close)
  const all = [...linted.findings.values()].flat()
  // A baseline names files as seen from the working folder, however the user names them.
  const located = all.map(finding => ({ ...finding, path: pathIn(io.folder, resolve(io.folder, finding.path)) }))
  const fresh = new Set<LintFinding | undefined>(baseline ? withoutBaselined(located, baseline) : located)
  const findings = all.filter((_, at) => fresh.has(located[at]))
  if (diff !== undefined) (format === 'text' ? io.out : io.err)(diff)
  printFindings(findings, format, io, diff === undefined ? io.out : io.err)
  io.err(`${summaryOf(findings, linted, args)}\n`)
  const target = textOption(args, 'writeBaseline')
  if (target !== undefined) {
    await writeFile(resolve(io.folder, target), baselineOf(located))
    io.err(`wrote ${visible(target)}: lint again with --baseline ${visible(target)} to see only what is new\n`)
    return EXIT.done
  }
  return hasErrors(findings) || (hasFlag(args, 'strict') && findings.length > 0) ? EXIT.failed : EXIT.done
}

const FORMATS = ['text', 'json', 'sarif', 'github', 'markdown'] as const

type Format = (typeof FORMATS)[number]

function formatOf(args: Arguments): Format {
  const wanted = textOption(args, 'format') ?? (hasFlag(args, 'json') ? 'json' : 'text')
  const format = FORMATS.find(each => each === wanted)
  if (!format) throw new CommandFailure('usage', `--format: ${quote(wanted)} is not one of ${FORMATS.join(', ')}`)
  return format
}

/** Lists, compares and, if asked to, fixes the files. */
async function compare(args: Arguments, io: Io, linter: Linter): Promise<{ linted: Linted; diff: string | undefined }> {
  const name = textOption(args, 'brand')
  if (name === undefined) throw new CommandFailure('usage', '--brand: name the brand, as in --brand acme/guidelines')
  const found = await findFiles(args.operands, io)
  let isOpen = false
  const work = withExportedProject({ ...args, operands: [name] }, io, async ({ store, record, publicUrl }) => {
    const { brand, ignore, oldFiles } = await openLintedBrand(store, record, publicUrl)
    isOpen = true
    const isIgnored = createPathFilter(ignore)
    const files = found.filter(({ path }) => !isIgnored(pathIn(io.folder, path)))
    const old = brand.levels['file-old'] === 'off' ? NO_OLD_FILES : await oldFiles(linter)
    return withProgress(io, async progress => {
      const isFixing = hasFlag(args, 'fix')
      const parts = { linter, brand, oldFiles: old, isFixing, signal: io.signal, progress }
      const linted = await lintFiles(files, parts)
      return isFixing ? fixFiles(linted, parts, hasFlag(args, 'write'), io) : { linted, diff: undefined }
    })
  })
  return work.catch((error: unknown) => {
    if (isOpen || !(error instanceof OperationalError) || !UNKNOWN.has(error.code)) throw error
    throw new CommandFailure('brand_unknown', `cannot read the brand ${visible(name)}: ${error.message}`)
  })
}

/** The codes that say that there is no such brand; other failures keep theirs. */
const UNKNOWN: ReadonlySet<string> = new Set<FailureCode>([
  'project_unknown',
  'workspace_unknown',
  'project_unpublished',
  'not_found',
  'folder_missing',
  'findings',
])

/** Reads the findings that are accepted for now. */
async function readBaseline(name: string | undefined, io: Io): Promise<Baseline | undefined> {
  if (name === undefined) return undefined
  const text = await readFile(resolve(io.folder, name), 'utf8').catch((error: unknown) => {
    throw new CommandFailure('usage', `--baseline: cannot read ${visible(name)} (${errorCode(error)})`)
  })
  const baseline = parseBaseline(text)
  if (!baseline.ok) throw new CommandFailure('usage', `--baseline: ${visible(name)} ${baseline.problem}`)
  return baseline.value
}

function printFindings(findings: readonly LintFinding[], format: Format, io: Io, out: Io['out']): void {
  const inRepository = () => relativeToRepository(findings.map(annotated), io.folder)
  if (format === 'json') printJson(io, findings)
  else if (format === 'sarif') printJson(io, sarifLog(inRepository(), SARIF_RULES))
  else if (format === 'github') io.out(githubAnnotations(inRepository()))
  else if (format === 'markdown') io.out(markdownReport(findings))
  else for (const finding of findings) out(lintLine(finding, io.hasColor.out))
}

/** `2 errors, 1 warning: 12 files read, 3 files only compared with old files`, and what is not known. */
function summaryOf(findings: readonly LintFinding[], { read, compared }: Linted, args: Arguments): string {
  const others = compared === 0 ? '' : `, ${pluralize(compared, 'file')} only compared with old files`
  const summary = `${findingSummary(findings)}: ${pluralize(read, 'file')} read${others}`
  if (textOption(args, 'folder') === undefined) return summary
  return `${summary}\nof old files, a --folder shows only those whose licence has ended: --data knows earlier revisions`
}
