import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import type { ExportedProject } from './exported-project.ts'

/** Prints what an export has written, as `--json` has it. The draft of a folder has no revision. */
export function printExport(
  io: Io,
  { name, record, publicUrl }: Pick<ExportedProject, 'name' | 'record' | 'publicUrl'>,
  format: string,
  { files, leftOut }: { files: readonly string[]; leftOut: readonly string[] },
): void {
  const { revision, snapshot } = record.published ?? {}
  printJson(io, {
    project: name,
    format,
    revision: publicUrl === undefined ? null : revision,
    snapshot,
    files,
    leftOut,
  })
}
