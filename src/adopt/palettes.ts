import { filename } from '#brand/file.ts'
import type { GuideStyles } from './conversion/guide-styles.ts'
import { readConfined } from './documents/converter.ts'
import { PALETTE_LINK, PALETTE_PATH } from './pages/palette-loop.ts'
import type { FilePlan } from './site/links.ts'
import type { PagePlan } from './site/page-paths.ts'
import { isPage } from './sources/leave-out.ts'
import { type Entry, shownPath } from './sources/source.ts'
import { mayHaveStyles } from './values.ts'

/** The names of files of data with colours, which loops on pages have: `colours` for `site.data.colours`. */
export async function paletteNames(entries: readonly Entry[], signal?: AbortSignal): Promise<string[]> {
  const files = entries.filter(
    entry => /(?:^|\/)_?data\//.test(entry.path) && !isPage(entry.path) && mayHaveStyles(entry),
  )
  if (files.length === 0) return []
  const sources: { path: string; bytes: Uint8Array }[] = []
  for (const entry of files) sources.push({ path: shownPath(entry), bytes: await entry.read(entry.size) })
  const reads = await readConfined(sources, signal)
  return files.flatMap(({ path }, at) => {
    const read = reads[at]
    return read?.ok && read.value.colors.length > 0 ? [filename(path).replace(/\.\w+$/, '')] : []
  })
}

/** Pages that have a palette above their text show it at their end. */
export function withPalettes(plans: readonly PagePlan[], merged: readonly { entry: Entry }[]): PagePlan[] {
  const own = new Set(merged.map(({ entry }) => entry))
  return plans.map(plan => {
    const { text } = plan.page
    if (!own.has(plan.entry) || text.includes(PALETTE_LINK)) return plan
    return { ...plan, page: { ...plan.page, text: `${text.trimEnd()}\n\n${PALETTE_LINK}\n` } }
  })
}

/** Files with the list of colours as the target of these links in each source. */
export function palettePlaces(files: readonly FilePlan[], plans: readonly PagePlan[], styles: GuideStyles): FilePlan[] {
  const entries = new Map(plans.map(({ entry }) => [entry.label, { ...entry, path: PALETTE_PATH }]))
  const targets = styles.colors.length > 0 ? [...entries.values()] : []
  return [...files, ...targets.map(entry => ({ entry, to: 'styles/colors.yaml' }))]
}
