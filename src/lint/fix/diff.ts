import { hunkLines, unifiedDiff } from '../../brand/content-diff.ts'

/** A unified diff for `patch` and `git apply`, which keeps the line ends; empty if the texts are the same. */
export function diffText(path: string, before: string, after: string): string {
  const hunks = hunkLines(unifiedDiff('', before, after))
  return hunks.length === 0 ? '' : [`--- a/${path}`, `+++ b/${path}`, ...hunks, ''].join('\n')
}
