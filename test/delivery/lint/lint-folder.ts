import assert from 'node:assert/strict'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { runCommand } from '../../support/temporary-store.ts'

/** Runs `housestyle lint` in a folder. */
export async function lint(folder: string, args: readonly string[]): Promise<LintFinding[]> {
  const { exitCode, out, err } = await runCommand(folder, ['lint', ...args, '--json'])
  assert.ok(exitCode === 0 || exitCode === 1, err)
  return JSON.parse(out)
}
