import { LINT_RULES } from '#brand/lint-rules.ts'
import type { LintFinding } from '#lint/finding.ts'
import type { Io } from '../../command.ts'
import { findingLine, jsonText, printJson } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { type AnnotatedFinding, githubAnnotations, relativeToRepository, sarifLog } from '../write/annotations.ts'

type Report = { add: (findings: readonly LintFinding[]) => void; end: () => void }

/** The formats of findings; `isAside` says that stdout has something else, so that lines go to stderr. */
export const REPORTS = {
  text: (io, isAside) => ({
    add: findings => {
      const [print, hasColor] = isAside ? [io.err, io.hasColor.err] : [io.out, io.hasColor.out]
      print(findings.map(finding => findingLine(annotationOf(finding), hasColor)).join(''))
    },
    end: () => undefined,
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
        printJson(io, sarifLog(relativeToRepository(kept, io.folder), LINT_RULES))
        if (left > 0) io.err(`${left} more findings are left out: GitHub takes ${MAX_RESULTS} in a log\n`)
      },
    }
  },
  github: io => ({
    add: findings => io.out(githubAnnotations(relativeToRepository(findings.map(annotationOf), io.folder))),
    end: () => undefined,
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

export type LintFormat = keyof typeof REPORTS

/** The most results of a run that GitHub takes (SARIF support for code scanning, "File limits"). */
const MAX_RESULTS = 25_000

/** A finding as an annotation: its message also says where it is in a deck, and how often it occurs. */
function annotationOf({ severity, rule, path, line, column, ...finding }: LintFinding): AnnotatedFinding {
  const message = messageOf(finding)
  return { severity, rule, path, line: line ?? null, ...(column !== undefined && { column }), message }
}

function messageOf({ slide, shape, message, count }: Pick<LintFinding, 'slide' | 'shape' | 'message' | 'count'>) {
  const place = [slide === undefined ? '' : `slide ${slide}`, shape === undefined ? '' : `"${shape}"`].filter(Boolean)
  const times = count === 1 ? '' : ` (${count} times)`
  return `${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${times}`
}

/** GitHub's limit for a comment is 65,536; the rest is for the last line, and for what others add. */
const MAX_CHARACTERS = 59_900

function byError(a: LintFinding, b: LintFinding): number {
  return Number(b.severity === 'error') - Number(a.severity === 'error')
}

/** Values from files are code, so that they cannot become markup. */
function itemOf({ severity, rule, line, guide, ...finding }: LintFinding): string {
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
