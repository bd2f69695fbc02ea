import { resolve } from 'node:path'
import { withSiteSource } from '../../../compose/static-site.ts'
import { type DeadLink, type SiteFile, staticSite, writeSite } from '../../../static/static-site.ts'
import { type Arguments, hasFlag, type Output, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { withProgress } from '../../output/progress.ts'
import { visible } from '../../output/text.ts'
import {
  type ExportedProject,
  exportOutput,
  type LocalAddresses,
  localAddresses,
  warningLines,
  withExportedProject,
} from './exported-project.ts'

/** `export [workspace/project] --to site` */
export function exportSite(args: Arguments, io: Io): Promise<Output> {
  const out = textOption(args, 'out')
  if (out === undefined || out === '-' || /\.zip$/i.test(out))
    throw new CommandFailure('usage', 'site is a folder: name it with --out, for example --out ./acme-site')
  const folder = resolve(io.folder, out)
  return withExportedProject(args, io, async exported => {
    assertShown(exported, hasFlag(args, 'private'))
    const dead: DeadLink[] = []
    const local = localAddresses(exported.assumedUrl)
    const count = await writeCopy(exported, folder, io, { dead, local })
    const warnings = local.warnings()
    const leftOut = dead.map(({ from, to }) => `${to} in ${from}: a link with no target in the copy`)
    const lines = leftOut.slice(0, MAX_PRINTED).map(each => `left out of site: ${visible(each)}`)
    if (leftOut.length > MAX_PRINTED) lines.push(`left out of site: ${leftOut.length - MAX_PRINTED} more such links`)
    lines.push(`${count} files in ${visible(folder)}: open index.html there`, ...warningLines(io, warnings))
    return exportOutput(exported, { format: 'site', files: [folder], leftOut, warnings }, lines)
  })
}

const MAX_PRINTED = 20

/** Refuses a private project without `--private`, because a folder has no access control. */
function assertShown({ name, record }: ExportedProject, isPrivateMeant: boolean): void {
  if (isPrivateMeant || record.published?.visibility !== 'private') return
  const message = `${name} is private, and anyone who gets the copy can read all of it: add --private to copy it anyway`
  throw new CommandFailure('export_impossible', message)
}

async function writeCopy(
  { name, store, record, publicUrl }: ExportedProject,
  folder: string,
  io: Io,
  { dead, local }: { dead: DeadLink[]; local: LocalAddresses },
): Promise<number> {
  return withProgress(io, show =>
    withSiteSource(store, record, publicUrl, source => {
      const files = staticSite(source, {
        signal: io.signal,
        progress: at => show({ project: name, ...at }),
        dead: link => void dead.push(link),
      })
      return writeSite(folder, findLocal(files, local))
    }),
  )
}

/** Chunks end anywhere. An address at the end of a chunk of an archive is also in a separate file of the copy. */
async function* findLocal(files: AsyncIterable<SiteFile>, local: LocalAddresses): AsyncGenerator<SiteFile> {
  for await (const { path, chunks } of files) yield { path, chunks: lookInChunks(path, chunks, local) }
}

async function* lookInChunks(
  path: string,
  chunks: SiteFile['chunks'],
  local: LocalAddresses,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    local.look(path, chunk)
    yield chunk
  }
}
