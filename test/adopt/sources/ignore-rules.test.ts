import { outsideReason, siteFacts } from '#adopt/sources/facts.ts'
import { hiddenBy } from '#adopt/sources/ignore-rules.ts'
import { golden } from '#test/support/golden.ts'
import { sourceEntries } from '../source-entry.ts'

/** The paths in a source that its site does not have, with what says so. */
async function hiddenIn(files: Readonly<Record<string, string>>) {
  const entries = sourceEntries(files)
  const facts = await siteFacts(entries)
  return entries.flatMap(entry => {
    const own = facts.of(entry)
    const folders = entry.path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))
    const hidden = folders.map(path => hiddenBy(own.hidings, path, path !== entry.path)).find(Boolean)
    const why = hidden ?? (/\.md$/.test(entry.path) ? outsideReason(entry.path, own) : undefined)
    if (why === undefined) return []
    const { reason, detail = reason.replace(/^.*?: /, '') } = why
    return [`${entry.path} (${/"(.*?)"/.exec(detail)?.[1] ?? detail})`]
  })
}

golden('adopt/sources/ignore-rules', ({ files }: { files: Readonly<Record<string, string>> }) => hiddenIn(files))
