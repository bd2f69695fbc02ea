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

/** The steps after an import. `unpublished` has the ids of projects that were taken down. */
export function afterImport(
  { workspace, projects, findings }: ImportResult,
  unpublished: ReadonlySet<string>,
  folder: string,
): NextStep[] {
  const changed = projects.filter(project => project.changed)
  const operands = changed
    .filter(({ project }) => !unpublished.has(project))
    .map(({ project }) => `${workspace}/${project}`)
  const publish: NextStep[] = operands.length > 0 ? [{ command: 'publish', operands }] : []
  const hasError = findings.some(({ severity }) => severity === 'error')
  if (hasError || !projects.some(({ imported }) => imported))
    return [
      ...afterCheck(findings, folder),
      ...publish.map(step => ({ ...step, purpose: 'publish the other changes' })),
    ]
  const why = changed.length === 0 ? ' (nothing changed)' : ''
  return publish.length > 0 ? publish : [{ purpose: `see the published revisions${why}`, command: 'status' }]
}

/** The steps after a publication. `service` is the address of a running service. */
export function afterPublish(results: readonly PublishResult[], service: string | undefined): NextStep[] {
  const [first] = results
  if (!first) return []
  const start: NextStep[] = service === undefined ? [{ purpose: 'start the service', command: 'serve' }] : []
  return [
    ...start,
    { purpose: 'give readers a link', command: 'share', operands: [`${first.workspace}/${first.project}`] },
  ]
}

/** A folder as an operand, which must not look like an option. */
function operandOf(folder: string): string {
  return folder.startsWith('-') ? `./${folder}` : folder
}

const BEGIN: NextStep = { purpose: 'write a small brand folder to start from', command: 'init', operands: ['acme'] }
