import { compareStrings } from '../../base/text.ts'
import { pagePath, type SourcePaths } from '../../brand/edit-link.ts'
import type { Guide } from '../../site/guide/guide.ts'
import { type Html, html } from '../../site/html.ts'
import { type DraftFinding, findDraftFindings, MAX_DRAFT_FINDINGS } from '../../store/catalogue/draft-findings.ts'
import { findSourcePaths } from '../../store/catalogue/edit-links.ts'
import type { ManageContext, Managed } from '../context.ts'

/** The findings of a draft by file and line. A file of a page also has its name. */
export async function findingsList(
  { store, reportRows }: ManageContext,
  { record }: Managed,
  guide: Guide,
): Promise<Html> {
  const { manage } = guide.words
  const findings = await findDraftFindings(store.database, record, reportRows)
  if (!findings) return html`<p>${manage.findingsUnknown}</p>\n`
  if (findings.length === 0) return html`<p>${manage.noFindings}</p>\n`
  const pages = await pagesByPath(guide, await findSourcePaths(store.database, record, reportRows))
  const byPath = Map.groupBy(findings.toSorted(order), ({ path }) => path)
  const file = ([path, found]: readonly [
    string,
    readonly DraftFinding[],
  ]) => html`<dt>${pages.get(path)}<code dir="ltr">${path}</code></dt>
${found.map(finding => html`<dd>${finding.line !== null && html`${manage.line({ line: finding.line })}: `}<bdi lang="en">${finding.message}</bdi></dd>\n`)}`
  const isCut = findings.length === MAX_DRAFT_FINDINGS
  return html`<details class="findings"${findings.length <= MAX_OPEN && html` open`}><summary>${manage.findings({ count: findings.length })}</summary>
<dl>
${Array.from(byPath, file)}</dl>
${isCut && html`<p>${manage.firstOnly({ count: findings.length })}</p>\n`}</details>
`
}

const MAX_OPEN = 8

/** The import sorts by path and line, but has consequences of other findings last. */
function order(one: DraftFinding, other: DraftFinding): number {
  return compareStrings(one.path, other.path) || (one.line ?? 0) - (other.line ?? 0)
}

/** Links to the pages of a draft, by the paths of their files in the brand folder. */
async function pagesByPath(
  { publication: { content, record }, paths }: Guide,
  source: SourcePaths | undefined,
): Promise<ReadonlyMap<string, Html>> {
  if (!source) return new Map()
  const pages = [...(await content.pages()).values()]
  return new Map(
    pages.map(({ id, name }) => {
      const path = pagePath(source, id)
      const whole = source.folder === '' ? path : `${source.folder}/${path}`
      return [whole, html`<a href="${paths.page(record, id)}">${name}</a> `]
    }),
  )
}
