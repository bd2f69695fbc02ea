import type { Finding } from '../../brand/finding.ts'
import type { ImportResult } from '../../publishing/import/import.ts'
import type { PublishResult } from '../../publishing/publish.ts'
import type { Arguments } from '../command.ts'
import type { Io } from '../io.ts'
import { visible } from './text.ts'

/** A command to suggest. `purpose` completes "to …:". */
export type NextStep = { command: string; operands?: readonly string[]; purpose?: string }

/** Prints each command on its own line after `next: `, so that it can be pasted. Its purpose is on the line before. */
export function printNextSteps(steps: readonly NextStep[], args: Arguments, io: Io): void {
  for (const { command, operands, purpose } of steps) {
    const line = args.commandLine(command, operands)
    if (visible(line) !== line) continue // A path with control characters cannot be pasted.
    io.err(`${purpose === undefined ? '' : `to ${purpose}:\n`}next: ${line}\n`)
  }
}

/** Prints that a store holds no project, and how to begin. `place` names the store. */
export function printEmptyStore(place: string, args: Arguments, io: Io): void {
  io.err(`the store ${visible(place)} holds no project yet: import a brand folder, or begin with a new one\n`)
  printNextSteps([BEGIN], args, io)
}

/** The steps after `init` has written a folder. */
export function afterInit(folder: string): NextStep[] {
  return [{ purpose: 'see it', command: 'dev', operands: [operandOf(folder)] }]
}

/** The steps after a folder was checked. */
export function afterCheck(findings: readonly Finding[], folder: string): NextStep[] {
  if (findings.some(({ rule }) => rule === 'no-project')) return [BEGIN]
  const operands = [operandOf(folder)]
  if (findings.some(({ severity }) => severity === 'error'))
    return [{ purpose: 'check again after correcting the errors', command: 'check', operands }]
  return [
    { purpose: 'see it while you write', command: 'dev', operands },
    { purpose: 'import it into the store', command: 'import', operands },
  ]
}

/** The steps after an import. */
export function afterImport({ workspace, projects, findings }: ImportResult, folder: string): NextStep[] {
  const imported = projects.filter(project => project.imported)
  const hasError = findings.some(({ severity }) => severity === 'error')
  if (workspace === null || hasError || imported.length === 0) return afterCheck(findings, folder)
  if (!imported.some(({ changed }) => changed)) return [{ purpose: 'see the published revisions', command: 'status' }]
  const refs = imported.map(({ project }) => `${workspace}/${project}`)
  return [{ command: 'publish', operands: refs.length > MAX_REFS ? ['--all'] : refs }]
}

/** The steps after a publication. */
export function afterPublish(results: readonly PublishResult[]): NextStep[] {
  const [first] = results
  if (!first) return []
  return [
    { purpose: 'start the service', command: 'serve' },
    { purpose: 'give readers a link', command: 'share', operands: [`${first.workspace}/${first.project}`] },
  ]
}

/** A folder as an operand, which must not look like an option. */
function operandOf(folder: string): string {
  return folder.startsWith('-') ? `./${folder}` : folder
}

const BEGIN: NextStep = { purpose: 'write a small brand folder to start from', command: 'init', operands: ['acme'] }
const MAX_REFS = 5
