import { resolve } from 'node:path'
import { decodeText, encodeLike } from '../../../base/bytes.ts'
import { applyEdits } from '../../../lint/fix/apply.ts'
import { diffText } from '../../../lint/fix/diff.ts'
import { writeWhole } from '../../../lint/fix/write-file.ts'
import type { Io } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { type Fix, type Linted, type LintParts, lintBytes } from './lint-files.ts'

/** What remains once the fixes are made, and their diff. */
export type Fixed = { linted: Linted; diff: string }

/** Makes the fixes, in the files if `isWritten`, and compares the fixed files again. */
export async function fixFiles(linted: Linted, parts: LintParts, isWritten: boolean, io: Io): Promise<Fixed> {
  const findings = new Map(linted.findings)
  let diff = ''
  for (const { file, bytes, edits } of linted.fixes) {
    parts.signal.throwIfAborted()
    const before = decodeText(bytes)
    if (before === undefined) continue
    const after = applyEdits(before, edits)
    const fixed = encodeLike(bytes, after)
    if (isWritten) await write(file, fixed, bytes, io)
    diff += diffText(file.shown, before, after)
    findings.set(file.path, (await lintBytes(file, fixed, parts)).findings)
  }
  return { linted: { ...linted, findings }, diff }
}

/** The path that the user named, so that a link is not followed. */
async function write({ shown }: Fix['file'], bytes: Uint8Array, before: Uint8Array, io: Io): Promise<void> {
  const written = await writeWhole(resolve(io.folder, shown), bytes, before)
  if (!written.ok) throw new CommandFailure('not_fixed', written.problem)
}
