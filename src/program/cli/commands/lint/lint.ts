import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { keysOf } from '#brand/fields.ts'
import { note } from '#brand/finding.ts'
import { LINT_RULES, type LintRuleId } from '#brand/lint-rules.ts'
import { type Baseline, baselineEntry, baselineText, parseBaseline } from '#delivery/lint/baseline.ts'
import { type LintFinding, withoutPalette } from '#delivery/lint/finding.ts'
import { createPathFilter } from '#delivery/lint/ignore.ts'
import { openLinter } from '#delivery/lint/linter.ts'
import { OTHERS, type OthersKind } from '#delivery/lint/others.ts'
import type { Place } from '#delivery/lint/use.ts'
import { errorCode, OperationalError } from '#platform/base/error.ts'
import { pluralize } from '#platform/base/text.ts'
import { openLintedBrand } from '../../../compose/lint.ts'
import { type Arguments, formatOption, hasFlag, type Io, type Run, textOption } from '../../command.ts'
import { CommandFailure, EXIT, type FailureCode, Misuse } from '../../failure.ts'
import { clearProgress, countSummary, findingLine, jsonText, printJson, withProgress } from '../../output/output.ts'
import { visible, withoutCommands } from '../../output/text.ts'
import { withExportedProject } from '../export/exported-project.ts'
import {
  type AnnotatedFinding,
  byError,
  githubAnnotations,
  relativeToRepository,
  sarifLog,
} from '../write/annotations.ts'
import { type Fixed, fixFile } from './fix-file.ts'
import { findFiles, lintFiles, pathIn } from './lint-files.ts'

export const run: Run = async (args, io) => {
  const format = formatOption(args, keysOf(REPORTS))
  proveOptions(args)
  const baseline = await readBaseline(textOption(args, 'baseline'), io)
  const report: Report = REPORTS[format](io, hasFlag(args, 'fix'))
  const printFixed = (diff: string) => printDiff(diff, format === 'text' ? io.out : io.err, io)
  const { add, end, counts, entries } = openListing(args, io, { report, baseline, printFixed })
  await compare(args, io, add)
  end()
  io.err(`${summaryOf(counts, args)}\n`)
  const target = textOption(args, 'writeBaseline')
  if (target !== undefined) return writeBaseline(target, entries, io)
  const isFailed = counts.error + counts.notWritten > 0 || (hasFlag(args, 'strict') && counts.warning > 0)
  return isFailed ? EXIT.failed : EXIT.done
}

function proveOptions(args: Arguments): void {
  if (hasFlag(args, 'write') && !hasFlag(args, 'fix')) throw new Misuse('--write: add --fix')
  const store = textOption(args, 'data') ?? textOption(args, 'database')
  if (textOption(args, 'folder') !== undefined && store !== undefined)
    throw new Misuse('--folder reads the brand without a store: leave --data and --database out')
}

type Listing = { report: Report; baseline: Baseline | undefined; printFixed: (diff: string) => void }

/** Reports the findings of each file, except those of a baseline. Findings in files of others are counted for the end. */
function openListing(args: Arguments, io: Io, { report, baseline, printFixed }: Listing) {
  const counts = { error: 0, warning: 0, note: 0, read: 0, compared: 0, own: 0, notWritten: 0 }
  const entries = new Set<string>()
  const unlisted = { sheet: new Map<string, number>(), logo: new Map<string, number>() }
  // A baseline names files as seen from the working folder, however the user names them.
  const entryOf = (finding: LintFinding) =>
    baselineEntry({ ...finding, path: pathIn(io.folder, resolve(io.folder, finding.path)) })
  const add = ({ file, findings, isRead, own, others, diff, left, problem }: Fixed) => {
    const known = findings.map(entryOf)
    for (const entry of known) if (entry !== undefined) entries.add(entry)
    const all = findings.filter((_, at) => !baseline?.has(known[at] ?? ''))
    const listed = others ? all.filter(({ rule }) => ALWAYS_LISTED.has(rule)) : all
    if (others && all.length > listed.length) unlisted[others].set(file.shown, all.length - listed.length)
    const fresh = file.kind === 'svg' && !hasFlag(args, 'all') ? withoutPalette(listed) : listed
    if (diff !== '' || problem !== undefined || fresh.length > 0) clearProgress(io)
    if (diff !== '') printFixed(diff)
    for (const line of [...left.map(each => `${file.shown}: ${each}`), problem ?? []].flat())
      io.err(`${visible(line)}\n`)
    if (fresh.length > 0) report.add(fresh)
    for (const { severity } of fresh) counts[severity]++
    counts[own && file.isNamed ? 'own' : isRead ? 'read' : 'compared']++
    if (problem !== undefined) counts.notWritten++
  }
  const end = () => {
    for (const kind of keysOf(unlisted)) if (unlisted[kind].size > 0) report.add([noteOf(kind, unlisted[kind])])
    report.end?.()
  }
  return { add, end, counts, entries }
}

async function writeBaseline(target: string, entries: ReadonlySet<string>, io: Io): Promise<number> {
  await writeFile(resolve(io.folder, target), baselineText(entries)).catch((error: unknown) => {
    throw new Misuse(`--write-baseline: cannot write ${visible(target)} (${errorCode(error)})`)
  })
  io.err(`wrote ${visible(target)}: lint again with --baseline ${visible(target)} to see only what is new\n`)
  return EXIT.done
}

/** Rules that apply to files of others, too: an old file or a logo of the brand belongs to no one else. */
const ALWAYS_LISTED: ReadonlySet<LintRuleId> = new Set([
  'file-old',
  'logo-recolored',
  'logo-stretched',
  'logo-small',
  'unreadable',
])

async function compare(args: Arguments, io: Io, each: (fixed: Fixed) => void): Promise<void> {
  const [purpose, other] = (['print', 'screen'] as const).filter(option => hasFlag(args, option))
  if (other) throw new Misuse('--print and --screen: a PDF is judged as one of them: leave the other out')
  const name = textOption(args, 'brand')
  if (name === undefined) throw new Misuse('--brand: name the brand, as in --brand acme/guidelines')
  const isAll = hasFlag(args, 'all')
  const files = await findFiles(args.operands, io, isAll ? new Set(['.git']) : undefined)
  let isOpen = false
  const work = withExportedProject({ ...args, operands: [name] }, io, async ({ store, record, urls }) => {
    const { brand, ignore, published, since, openFiles, ...own } = await openLintedBrand(store, record, urls)
    isOpen = true
    const covers = createPathFilter(ignore)
    const isIgnored = (path: string) => covers(pathIn(io.folder, path))
    // Nobody else waits for the processor.
    const linter = openLinter({ timeoutMs: 16_000, lowerBy: 0 })
    await using _ = { [Symbol.asyncDispose]: linter.close }
    const brandFiles = await openFiles(linter)
    await withProgress(io, async progress => {
      const names = isAll ? undefined : own.names
      const parts = { linter, brand, purpose, names, published, brandFiles, isIgnored, signal: io.signal, progress }
      const kept = files.filter(({ path }) => !isIgnored(path))
      for (const { shown } of files.filter(({ isNamed, path }) => isNamed && isIgnored(path)))
        io.err(`${visible(shown)} is not read: "ignore" in the brand's project.yaml leaves it out\n`)
      for await (const linted of lintFiles(kept, parts)) {
        const { own, file, others } = linted
        // The revisions of a folder are made for this run.
        const first = own && file.isNamed && !textOption(args, 'folder') ? await since(own) : undefined
        const age = first === undefined ? '' : `, current since revision ${first}`
        if (own && file.isNamed) io.err(`${visible(`${file.shown} is the brand's file ${published.get(own)}`)}${age}\n`)
        if (others || !hasFlag(args, 'fix')) each({ ...linted, left: [], diff: '' })
        else each(await fixFile(linted, parts, io.folder, hasFlag(args, 'write')))
      }
    })
  })
  await work.catch((error: unknown) => {
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
  'store_missing',
  'findings',
])

async function readBaseline(name: string | undefined, io: Io): Promise<Baseline | undefined> {
  if (name === undefined) return undefined
  const text = await readFile(resolve(io.folder, name), 'utf8').catch((error: unknown) => {
    throw new Misuse(`--baseline: cannot read ${visible(name)} (${errorCode(error)})`)
  })
  const baseline = parseBaseline(text)
  if (!baseline.ok) throw new Misuse(`--baseline: ${visible(name)} ${baseline.problem}`)
  return baseline.value
}

/** Prints a diff without commands of CI systems, and without what moves the cursor of a terminal. */
function printDiff(diff: string, print: (text: string) => void, { err }: Io): void {
  const shown = withoutCommands(diff.replace(/(?:[^\t\r\n]|\r(?!\n))+/g, visible))
  print(shown)
  if (shown !== diff) err(ESCAPED)
}

const ESCAPED =
  'a line of this diff is escaped, because a terminal or a CI system would obey it, so patch cannot apply the diff: correct the file with --fix --write\n'

type Counts = Readonly<Record<'error' | 'warning' | 'read' | 'compared' | 'own', number>>

/** `2 errors, 1 warning: 12 files read, 3 files only compared with old files`, and what is not known. */
function summaryOf({ error, warning, read, compared, own }: Counts, args: Arguments): string {
  const isRead = read > 0 || own === 0
  const parts = [isRead && `${pluralize(read, 'file')} read`, own > 0 && `${pluralize(own, 'file')} of the brand`]
  if (compared > 0) parts.push(`${pluralize(compared, 'file')} only compared with old files`)
  const summary = `${countSummary(error, warning)}: ${parts.filter(Boolean).join(', ')}`
  if (textOption(args, 'folder') === undefined) return summary
  return `${summary}\nof old files, a --folder shows only those whose licence has ended: --data knows earlier revisions`
}

/** A finding, or the sum of those in files that others made. */
type ListedFinding = Omit<LintFinding, 'rule'> & { rule: LintRuleId | 'not-listed' }

/** The note on files that others made, with their numbers of findings. */
function noteOf(kind: OthersKind, counts: ReadonlyMap<string, number>): ListedFinding {
  const [[path = '', ...more], total] = [counts.keys(), counts.values().reduce((sum, count) => sum + count, 0)]
  const files = more.length === 0 ? '' : ` here and in ${pluralize(more.length, 'other file')}`
  const message = `${pluralize(total, 'finding')} in ${OTHERS[kind]}${files}: --all lists ${total === 1 ? 'it' : 'them'}`
  return { severity: NOT_LISTED.severity, rule: 'not-listed', path, message, value: kind, count: 1 }
}

const NOT_LISTED = note('Findings in files of others are not listed.', 'Add --all.')

type Report = { add: (findings: readonly ListedFinding[]) => void; end?: () => void }

/** The formats of findings; `isAside` says that stdout has something else, so that lines go to stderr. */
const REPORTS = {
  text: (io, isAside) => ({
    add: findings => {
      const [print, hasColor] = isAside ? [io.err, io.hasColor.err] : [io.out, io.hasColor.out]
      print(findings.map(finding => findingLine(annotationOf(finding), hasColor)).join(''))
    },
  }),
  json: io => {
    let before = '['
    return {
      add: findings => {
        io.out(`${before}${jsonText(findings.map(({ value: _, ...shown }) => shown)).slice(1, -2)}`)
        before = ','
      },
      end: () => io.out(before === '[' ? '[]\n' : '\n]\n'),
    }
  },
  sarif: io => {
    const kept: AnnotatedFinding[] = []
    let left = 0
    return {
      add: findings => {
        const shown = findings.slice(0, MAX_RESULTS - kept.length)
        kept.push(...shown.map(annotationOf))
        left += findings.length - shown.length
      },
      end: () => {
        printJson(io, sarifLog(relativeToRepository(kept, io.folder), { ...LINT_RULES, 'not-listed': NOT_LISTED }))
        if (left > 0) io.err(`${left} more findings are left out: GitHub takes ${MAX_RESULTS} in a log\n`)
      },
    }
  },
  github: io => ({
    add: findings => io.out(githubAnnotations(relativeToRepository(findings.map(annotationOf), io.folder))),
  }),
  markdown: io => {
    let [text, left, isFull] = ['', 0, false]
    return {
      add: findings => {
        let before = `${text === '' ? '' : '\n'}### ${code(findings[0]?.path ?? '')}\n\n`
        for (const finding of findings.toSorted(byError)) {
          const line = `${before}${itemOf(finding)}\n`
          isFull ||= text.length + line.length > MAX_CHARACTERS
          if (isFull) left++
          else text += line
          before = ''
        }
      },
      end: () => {
        if (left > 0)
          text += `\n${left} more findings are left out here. \`housestyle lint\` shows all in a terminal.\n`
        io.out(text || 'On brand: nothing found.\n')
      },
    }
  },
} as const satisfies Readonly<Record<string, (io: Io, isAside: boolean) => Report>>

/** The most results of a run that GitHub takes (SARIF support for code scanning, "File limits"). */
const MAX_RESULTS = 25_000

/** A finding as an annotation: its message also says where it is in a deck, and how often it occurs. */
function annotationOf({ severity, rule, path, line, column, ...finding }: ListedFinding): AnnotatedFinding {
  const message = messageOf(finding)
  return { severity, rule, path, line: line ?? null, ...(column !== undefined && { column }), message }
}

function messageOf({ slide, page, shape, message, count }: Pick<LintFinding, keyof Place | 'message' | 'count'>) {
  const numbered = Object.entries({ slide, page })
    .filter(([, at]) => at !== undefined)
    .map(([name, at]) => `${name} ${at}`)
  const place = [...numbered, ...(shape === undefined ? [] : [`"${shape}"`])]
  const times = count === 1 ? '' : ` (${count} times)`
  return `${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${times}`
}

/** GitHub's limit for a comment is 65,536; the rest is for the last line, and for what others add. */
const MAX_CHARACTERS = 59_900

/** Values from files are code, so that they cannot become markup. */
function itemOf({ severity, rule, line, guide, ...finding }: ListedFinding): string {
  const place = line === undefined ? '' : `line ${line}, `
  const page = guide === undefined ? '' : `; see page ${code(guide)}`
  return `- ${severity === 'error' ? '**error**' : severity} ${place}${rule}: ${code(messageOf(finding))}${page}`
}

/** Inline code that its text cannot end (CommonMark §6.1). */
function code(text: string): string {
  const shown = visible(text).replace(/\s+/g, ' ').slice(0, 500)
  const fence = '`'.repeat(Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length)) + 1)
  return `${fence} ${shown} ${fence}`
}
