import { withStore, withStoreAsItIs } from '../compose.ts'
import { type ImportedProject, type ImportResult, importFolder } from '../publishing/import.ts'
import { changedThings } from './changed-things.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, printJson } from './io.ts'
import { brandFolder, findingLine, findingSummary, hasErrors, whileReading } from './reading.ts'
import { settingsOf } from './settings.ts'

/** `import <folder>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const folder = await brandFolder(given.operands[0] ?? '', io)
  const isDryRun = isGiven(given, 'dryRun')
  const open = isDryRun ? withStoreAsItIs : withStore
  const result = await open(settings, store =>
    whileReading(settings, io, options => importFolder(store, folder, { ...options, isDryRun, now: () => new Date() })),
  )
  if (isGiven(given, 'json')) printJson(io, result)
  else printImport(result, io)
  return hasErrors(result.findings) ? 1 : 0
}

/** Says what an import did: findings and their sum on the side, then each project. */
export function printImport({ workspace, projects, findings }: ImportResult, io: Io): void {
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  if (findings.length > 0) io.err(`${findingSummary(findings)}\n`)
  for (const project of projects) io.out(projectText(`${workspace}/${project.project}`, project, io))
}

function projectText(place: string, { imported, changed, pages, styles, files }: ImportedProject, io: Io): string {
  if (!imported) return `${place}: not imported; its draft is as it was\n`
  const lines = changedThings({ pages, styles, files }, io.hasColor.out).map(thing => `  ${thing}`)
  const shown =
    lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `  … and ${lines.length - MOST_LINES} more`] : lines
  const what = changed
    ? lines.length > 0
      ? 'draft changed'
      : 'draft changed (name, order or visibility)'
    : 'nothing changed'
  return [`${place}: ${what}`, ...shown, ''].join('\n')
}

/** More than these are counted; `--json` has them all. */
const MOST_LINES = 40
