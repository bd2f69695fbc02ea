import { editorSource } from '#compose/editor.ts'
import { withExport } from '#compose/export.ts'
import { editorFiles } from '#editor/editor-files.ts'
import type { CommandFormat } from '#export/format.ts'
import { type Arguments, hasFlag, type Io, type Output, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { visible } from '../../output/text.ts'
import { exportOutput, placeFor, withExportedProject, writeExport } from './exported-project.ts'

/** `export [workspace/project] --to editor` */
export function exportEditor(format: CommandFormat, args: Arguments, io: Io): Promise<Output> {
  const place = placeFor(textOption(args, 'out'), format, io)
  if (hasFlag(args, 'json') && place.kind === 'stdout')
    throw new CommandFailure('usage', '--json describes the written files: name a folder with --out, or use --list')
  return withExportedProject(args, io, exported =>
    withExport(exported.store, exported.record, exported.publicUrl, async opened => {
      const source = await editorSource(exported.store, [exported.record])
      const made = Array.from(await editorFiles(source), ([path, content]) => ({ path, content }))
      const files = await writeExport(place, format, { files: made }, { ...opened, io })
      const result = { format: format.id, files, leftOut: [], warnings: [] }
      const where = place.kind === 'folder' ? ` in ${visible(place.path)}` : ''
      return exportOutput(exported, result, files.length === 0 ? [] : [`${files.length} files${where}: ${USE}`])
    }),
  )
}

const USE =
  'serve them from any web host, or locally with http://localhost, because browsers open no editor from a folder'
