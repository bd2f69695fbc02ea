import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import { CONTENT_KINDS } from '../../lint/file-kind.ts'
import type { LintFinding } from '../../lint/finding.ts'
import { applicable, type Outcome, type Reply } from './output.ts'
import { fittingEntries } from './reply-size.ts'
import { type Arguments, openProject, type Reader } from './tool.ts'

/** Compares a text with a brand: the first findings in the order of the text, and the number of all. */
export async function lintContent(reader: Reader, { project, content, kind }: Arguments): Promise<Outcome<'lint'>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const language = CONTENT_KINDS.find(each => each === kind) ?? 'text'
  const oldFiles = reader.scopes.has('files.read')
  const linted = await reader.lint(opened.value, { content, kind: language, oldFiles })
  if (!linted.ok) return linted
  const hasPages = reader.scopes.has('document.read')
  const total = linted.value.length
  const findings = fittingEntries(linted.value.slice(0, MAX_FINDINGS).map(finding => visiblePart(finding, hasPages)))
  const hint = applicable([
    findings.length < total,
    `Only ${findings.length} of ${total} are listed. Correct them, then call again.`,
  ])
  return ok({ total, findings, ...withoutUndefined({ hint }) })
}

const MAX_FINDINGS = 100

/** The content has no path, baselines are for files, and pages need their own scope. */
function visiblePart(
  { path: _, value: __, guide, ...finding }: LintFinding,
  hasPages: boolean,
): Reply<'lint'>['findings'][number] {
  return hasPages && guide !== undefined ? { ...finding, guide } : finding
}
