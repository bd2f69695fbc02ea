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
import { visible } from '../../output/text.ts'
import { withExportedProject } from '../export/exported-project.ts'
import {
  type AnnotatedFinding,
  byError,
  githubAnnotations,
  relativeToRepository,
  sarifLog,
} from '../write/annotations.ts'
import { pathIn, printDiff, proveFix } from '../write/edit-file.ts'
import { type Fixed, type FoundFile, findFiles, fixFile, type LintParts, lintFiles } from './lint-files.ts'

export const run: Run = async (args, io) => {
  const format = formatOption(args, keysOf(REPORTS))
  proveOptions(args)
  const baseline = await readBaseline(textOption(args, 'baseline'), io)
  const report: Report = REPORTS[format](io, hasFlag(args, 'fix'))
  const printFixed = (diff: string) => printDiff(diff, format === 'text' ? io.out : io.err, io)
  const listing = openListing(args, io, { report, baseline, printFixed })
  await compare(args, io, listing.add)
  listing.end()
  const { counts } = listing
  io.err(`${summaryOf(counts, args)}\n`)
  const target = textOption(args, 'writeBaseline')
  if (target !== undefined) return writeBaseline(target, listing.entries, io)
  const isFailed = counts.error + counts.notWritten > 0 || (hasFlag(args, 'strict') && counts.warning > 0)
  return isFailed ? EXIT.failed : EXIT.done
}

/** Refuses options that need each other or contradict each other. */
function proveOptions(args: Arguments): void {
  proveFix(args)
  const store = textOption(args, 'data') ?? textOption(args, 'database')
  if (textOption(args, 'folder') !== undefined && store !== undefined)
    throw new Misuse('--folder reads the brand without a store: leave --data and --database out')
}

type ListingParts = { report: Report; baseline: Baseline | undefined; printFixed: (diff: string) => void }

/**
 * Reports the findings of each file that is added, except those of the baseline, and counts findings and files. Collects
 * the baseline entries of all findings. `end` reports how many findings in files of others are not listed.
 */
function openListing(args: Arguments, io: Io, { report, baseline, printFixed }: ListingParts) {
  // Findings by severity; files that were read, only compared, named and of the brand, and not written.
  const counts = { error: 0, warning: 0, note: 0, read: 0, compared: 0, own: 0, notWritten: 0 }
  const entries = new Set<string>()
  const unlisted = openUnlisted()
  // A baseline names files as seen from the working folder, however the user names them.
  const entryOf = (finding: LintFinding) =>
    baselineEntry({ ...finding, path: pathIn(io.folder, resolve(io.folder, finding.path)) })
  /** The findings of a file to report now. Records the entries of all, and counts those in files of others. */
  const recordFindings = ({ file, findings, others }: Fixed): readonly LintFinding[] => {
    const findingEntries = findings.map(entryOf)
    for (const entry of findingEntries) if (entry !== undefined) entries.add(entry)
    // A finding without an entry is always new: no entry is the empty string.
    const newFindings = findings.filter((_, at) => !baseline?.has(findingEntries[at] ?? ''))
    const listed = others ? newFindings.filter(({ rule }) => ALWAYS_LISTED.has(rule)) : newFindings
    if (others) unlisted.add(others, file.shown, newFindings.length - listed.length)
    return file.kind === 'svg' && !hasFlag(args, 'all') ? withoutPalette(listed) : listed
  }
  /** Prints a file's diff, the colours that were not fixed, and its findings, in this order. */
  const add = (fixed: Fixed) => {
    const { file, isRead, ownHash, diff, unfixed, problem } = fixed
    const listed = recordFindings(fixed)
    if (diff !== '' || problem !== undefined || listed.length > 0) clearProgress(io)
    if (diff !== '') printFixed(diff)
    for (const reason of unfixed) io.err(`${visible(`${file.shown}: ${reason}`)}\n`)
    if (problem !== undefined) {
      io.err(`${visible(problem)}\n`)
      counts.notWritten++
    }
    if (listed.length > 0) report.add(listed)
    for (const { severity } of listed) counts[severity]++
    counts[ownHash && file.isNamed ? 'own' : isRead ? 'read' : 'compared']++
  }
  const end = () => {
    for (const finding of unlisted.notes()) report.add([finding])
    report.end?.()
  }
  return { add, end, counts, entries }
}

/** Counts the findings in files of others that are not listed. */
function openUnlisted() {
  /** For each kind of these files: their paths, and the numbers of their findings. */
  const counts = { sheet: new Map<string, number>(), logo: new Map<string, number>() }
  return {
    add: (kind: OthersKind, path: string, count: number) => {
      if (count > 0) counts[kind].set(path, count)
    },
    notes: () => keysOf(counts).flatMap(kind => (counts[kind].size > 0 ? [noteOf(kind, counts[kind])] : [])),
  }
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

/** Compares the files that the operands name with the brand of `--brand`, and passes each to `add`, fixed with `--fix`. */
async function compare(args: Arguments, io: Io, add: (fixed: Fixed) => void): Promise<void> {
  const [purpose, otherPurpose] = (['print', 'screen'] as const).filter(option => hasFlag(args, option))
  if (otherPurpose) throw new Misuse('--print and --screen: a PDF is judged as one of them: leave the other out')
  const name = textOption(args, 'brand')
  if (name === undefined) throw new Misuse('--brand: name the brand, as in --brand acme/guidelines')
  const files = await findFiles(args.operands, io, hasFlag(args, 'all') ? new Set(['.git']) : undefined)
  let isBrandOpen = false
  const work = withExportedProject({ ...args, operands: [name] }, io, async ({ store, record, urls }) => {
    const opened = await openLintedBrand(store, record, urls)
    isBrandOpen = true
    await compareWith(opened, { files, purpose, add }, args, io)
  })
  await work.catch((error: unknown) => {
    if (isBrandOpen || !(error instanceof OperationalError) || !BRAND_FAILURES.has(error.code)) throw error
    throw new CommandFailure('brand_unknown', `cannot read the brand ${visible(name)}: ${error.message}`)
  })
}

type Comparison = { files: readonly FoundFile[]; purpose: LintParts['purpose']; add: (fixed: Fixed) => void }

type OpenedBrand = Awaited<ReturnType<typeof openLintedBrand>>

async function compareWith(
  opened: OpenedBrand,
  { files, purpose, add }: Comparison,
  args: Arguments,
  io: Io,
): Promise<void> {
  const { brand, published } = opened
  const isInIgnore = createPathFilter(opened.ignore)
  const isIgnored = (path: string) => isInIgnore(pathIn(io.folder, path))
  // Nobody else waits for the processor.
  const linter = openLinter({ timeoutMs: 16_000, lowerBy: 0 })
  await using _ = { [Symbol.asyncDispose]: linter.close }
  const brandFiles = await opened.openFiles(linter)
  await withProgress(io, async progress => {
    const names = hasFlag(args, 'all') ? undefined : opened.names
    const parts = { linter, brand, purpose, names, published, brandFiles, isIgnored, signal: io.signal, progress }
    const comparedFiles = files.filter(({ path }) => !isIgnored(path))
    for (const { shown } of files.filter(({ isNamed, path }) => isNamed && isIgnored(path)))
      io.err(`${visible(shown)} is not read: "ignore" in the brand's project.yaml leaves it out\n`)
    for await (const linted of lintFiles(comparedFiles, parts)) {
      const { ownHash, file, others } = linted
      if (ownHash && file.isNamed) {
        const age = await ageText(ownHash, opened, args)
        io.err(`${visible(`${file.shown} is the brand's file ${published.get(ownHash)}`)}${age}\n`)
      }
      if (others || !hasFlag(args, 'fix')) add({ ...linted, unfixed: [], diff: '' })
      else add(await fixFile(linted, parts, io.folder, hasFlag(args, 'write')))
    }
  })
}

/** `, current since revision 3`. With --folder, the revisions were made for this run, so they show no age. */
async function ageText(hash: string, { since }: OpenedBrand, args: Arguments): Promise<string> {
  const firstRevision = textOption(args, 'folder') ? undefined : await since(hash)
  return firstRevision === undefined ? '' : `, current since revision ${firstRevision}`
}

/** The codes of failures to find or read the brand itself, which become `brand_unknown`. Other failures keep their code. */
const BRAND_FAILURES: ReadonlySet<string> = new Set<FailureCode>([
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

type Counts = Readonly<Record<'error' | 'warning' | 'read' | 'compared' | 'own', number>>

/** `2 errors, 1 warning: 12 files read, 3 files only compared with old files`; with `--folder`, also what that cannot show. */
function summaryOf({ error, warning, read, compared, own }: Counts, args: Arguments): string {
  const showsRead = read > 0 || own === 0
  const parts = [showsRead && `${pluralize(read, 'file')} read`, own > 0 && `${pluralize(own, 'file')} of the brand`]
  if (compared > 0) parts.push(`${pluralize(compared, 'file')} only compared with old files`)
  const summary = `${countSummary(error, warning)}: ${parts.filter(Boolean).join(', ')}`
  if (textOption(args, 'folder') === undefined) return summary
  return `${summary}\nof old files, a --folder shows only those whose licence has ended: --data knows earlier revisions`
}

/** A finding, or the note that sums up the findings in files that others made. */
type ListedFinding = Omit<LintFinding, 'rule'> & { rule: LintRuleId | 'not-listed' }

/**
 * The note on files that others made, at the first of them: `7 findings in logos of other firms here and in 2 other
 * files: --all lists them`. `counts` has the number of findings of each file.
 */
function noteOf(kind: OthersKind, counts: ReadonlyMap<string, number>): ListedFinding {
  const [path = '', ...otherPaths] = counts.keys()
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  const files = otherPaths.length === 0 ? '' : ` here and in ${pluralize(otherPaths.length, 'other file')}`
  const message = `${pluralize(total, 'finding')} in ${OTHERS[kind]}${files}: --all lists ${total === 1 ? 'it' : 'them'}`
  return { severity: NOT_LISTED.severity, rule: 'not-listed', path, message, value: kind, count: 1 }
}

const NOT_LISTED = note('Findings in files of others are not listed.', 'Add --all.')

/** Reports findings. `add` is called with the findings of one file, at least one; `end` once, after the last file. */
type Report = { add: (findings: readonly ListedFinding[]) => void; end?: () => void }

/** The formats of findings. With `isAside`, stdout has the diffs of `--fix`, so the lines of `text` go to stderr. */
const REPORTS = {
  text: (io, isAside) => {
    const stream = isAside ? 'err' : 'out'
    const lineOf = (finding: ListedFinding) => findingLine(annotationOf(finding), io.hasColor[stream])
    return { add: findings => io[stream](findings.map(lineOf).join('')) }
  },
  json: io => {
    // One array, printed in parts: `[` is before the items of the first file, `,` before those of the others.
    let separator = '['
    return {
      add: findings => {
        const array = jsonText(findings.map(({ value: _, ...shown }) => shown))
        const items = array.slice('['.length, -'\n]'.length)
        io.out(`${separator}${items}`)
        separator = ','
      },
      end: () => io.out(separator === '[' ? '[]\n' : '\n]\n'),
    }
  },
  sarif: io => {
    const results: AnnotatedFinding[] = []
    let leftOut = 0
    return {
      add: findings => {
        const withRoom = findings.slice(0, MAX_RESULTS - results.length)
        results.push(...withRoom.map(annotationOf))
        leftOut += findings.length - withRoom.length
      },
      end: () => {
        printJson(io, sarifLog(relativeToRepository(results, io.folder), { ...LINT_RULES, 'not-listed': NOT_LISTED }))
        if (leftOut > 0) io.err(`${leftOut} more findings are left out: GitHub takes ${MAX_RESULTS} in a log\n`)
      },
    }
  },
  github: io => ({
    add: findings => io.out(githubAnnotations(relativeToRepository(findings.map(annotationOf), io.folder))),
  }),
  markdown: io => {
    let text = ''
    let leftOut = 0
    let isFull = false
    return {
      add: findings => {
        // The heading comes with the first item, so that none has no items below it.
        let heading = `${text === '' ? '' : '\n'}### ${code(findings[0]?.path ?? '')}\n\n`
        for (const finding of findings.toSorted(byError)) {
          const lines = `${heading}${itemOf(finding)}\n`
          isFull ||= text.length + lines.length > MAX_CHARACTERS
          if (isFull) leftOut++
          else text += lines
          heading = ''
        }
      },
      end: () => {
        if (leftOut > 0)
          text += `\n${leftOut} more findings are left out here. \`housestyle lint\` shows all in a terminal.\n`
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

/** `slide 3, "Title 1": the message (2 times)`. A file without pages or slides has only its message. */
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

/** `- **error** line 3, color-off: …`. Values from files are code, so that they cannot become markup. */
function itemOf({ severity, rule, line, guide, ...finding }: ListedFinding): string {
  const place = line === undefined ? '' : `line ${line}, `
  const page = guide === undefined ? '' : `; see page ${code(guide)}`
  return `- ${severity === 'error' ? '**error**' : severity} ${place}${rule}: ${code(messageOf(finding))}${page}`
}

/** Inline code that its text cannot end, because its fence has more backticks than any run in the text (CommonMark §6.1). */
function code(text: string): string {
  const shown = visible(text).replace(/\s+/g, ' ').slice(0, MAX_CODE_CHARACTERS)
  const fence = '`'.repeat(Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length)) + 1)
  return `${fence} ${shown} ${fence}`
}

const MAX_CODE_CHARACTERS = 500
