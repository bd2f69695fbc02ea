import { OperationalError } from '#base/error.ts'
import type { FoundStyles } from '#conversion/found-styles.ts'
import { type GuideStyles, guideStyles } from '#conversion/guide-styles.ts'
import { readSources } from '#conversion/source.ts'
import type { ValueTable } from './pages/page.ts'
import { type Notes, noNotes } from './report/report.ts'
import type { Entry } from './sources/source.ts'

/** The styles of a source, the files that they come from, and notes. A file without styles is not among them. */
export type AdoptedValues = {
  styles: GuideStyles
  merged: { entry: Entry; into: string }[]
  notes: Notes
}

/** Whether a file may have styles, by its path. */
export function mayHaveStyles({ path }: Entry): boolean {
  return /\.(?:json|ase|aco|gpl|csv)$/i.test(path)
}

/** Reads the styles of files together, so that references cross them, and those of tables on pages. */
export async function adoptValues(
  entries: readonly Entry[],
  _tables: readonly { shownPath: string; table: ValueTable }[],
  _options: { groups: readonly string[] },
): Promise<AdoptedValues> {
  const sources = await Promise.all(
    entries.map(async entry => ({ path: entry.path, bytes: await entry.read(MAX_BYTES) })),
  )
  const found = readSources(sources).map(read => (read.ok ? read.value : undefined))
  const styles = guideStyles(found.filter((each): each is FoundStyles => each !== undefined))
  if (!styles.ok) throw new OperationalError('source_unreadable', styles.problem)
  const merged = entries.flatMap((entry, at) => {
    const { colors = [], types = [] } = found[at] ?? {}
    const into = colors.length > 0 ? 'styles/colors.yaml' : 'styles/types.yaml'
    return colors.length + types.length > 0 ? [{ entry, into }] : []
  })
  return { styles: styles.value, merged, notes: noNotes() }
}

const MAX_BYTES = 16 << 20
