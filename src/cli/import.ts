import { withStore, withStoreAsItIs } from '../compose/store.ts'
import { keepHeapSmall } from '../intake/small-heap.ts'
import { type ImportedProject, type ImportResult, importFolder } from '../publishing/import/import.ts'
import { changedThings } from './changed-things.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, printJson } from './io.ts'
import { brandFolder, findingLine, findingSummary, hasErrors, whileReading } from './reading.ts'
import { settingsOf } from './settings.ts'

/** `import <folder>` */
export const run: Run = async (args, io) => {
  keepHeapSmall()
  const settings = await settingsOf(args, io)
  const folder = await brandFolder(args.operands[0] ?? '', io)
  const isDryRun = isGiven(args, 'dryRun')
  const open = isDryRun ? withStoreAsItIs : withStore
  const result = await open(settings, store =>
    whileReading(settings, io, options => importFolder(store, folder, { ...options, isDryRun, now: () => new Date() })),
  )
  if (isGiven(args, 'json')) printJson(io, result)
  else printImport(result, io, isDryRun)
  return hasErrors(result.findings) ? 1 : 0
}

/** Says what an import did: findings and their sum on the side, then each project. */
function printImport({ workspace, projects, findings }: ImportResult, io: Io, isDryRun: boolean): void {
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  if (findings.length > 0) io.err(`${findingSummary(findings)}\n`)
  for (const project of projects) io.out(projectText(`${workspace}/${project.project}`, project, io, isDryRun))
  if (isDryRun) io.err('a dry run: nothing was written\n')
}

function projectText(
  place: string,
  { imported, changed, pages, styles, files }: ImportedProject,
  io: Io,
  isDryRun: boolean,
): string {
  if (!imported) return `${place}: not imported; its draft ${isDryRun ? 'would stay' : 'is'} as it was\n`
  const lines = changedThings({ pages, styles, files }, io.hasColor.out).map(thing => `  ${thing}`)
  const shown =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `  … and ${lines.length - MAX_LINES} more`] : lines
  const did = isDryRun ? 'draft would change' : 'draft changed'
  const why = lines.length > 0 ? '' : ' (name, order or visibility)'
  return [`${place}: ${changed ? did + why : 'nothing changed'}`, ...shown, ''].join('\n')
}

/** More than these are counted; `--json` has them all. */
const MAX_LINES = 40
