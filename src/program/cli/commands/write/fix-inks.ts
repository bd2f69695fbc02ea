import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '#brand/finding.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { PANTONE_KEYS, usualPantones } from '#brand/styles/pantone.ts'
import { listEdits } from '#formats/yaml/edit-list.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { editFile } from './edit-file.ts'

/**
 * Spells Pantone references as libraries of inks do, in the lists with findings about them, on disk if `isWritten`: the
 * diffs, and why files were not written.
 */
export async function fixInks(
  folder: string,
  findings: readonly Finding[],
  workingFolder: string,
  isWritten: boolean,
): Promise<{ diffs: string[]; problems: string[] }> {
  const lists = new Set(findings.filter(({ rule }) => rule === 'ink-spelling').map(({ path }) => path))
  const fixes: { diffs: string[]; problems: string[] } = { diffs: [], problems: [] }
  for (const list of lists) {
    const path = join(folder, list)
    const bytes = await readFile(path)
    const edits = listEdits(decodeText(bytes) ?? '', PANTONE_KEYS, usualTexts)
    const edited = await editFile({ path, root: folder, bytes, edits }, workingFolder, isWritten)
    if (edited.ok) fixes.diffs.push(edited.value.diff)
    else fixes.problems.push(edited.problem)
  }
  return fixes
}

/** The references of a colour in their usual spelling; none if it has more than there are keys for. */
function usualTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const references = PANTONE_KEYS.flatMap(key => {
    const text = texts[key]
    return text === undefined || isPlaceholder(text) ? [] : [[key, text]]
  })
  const { usual, rest } = usualPantones(Object.fromEntries(references))
  return rest.length > 0 ? {} : usual
}
