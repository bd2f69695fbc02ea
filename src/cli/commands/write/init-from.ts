import { resolve } from 'node:path'
import { adopt } from '#adopt/adopt.ts'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import { openSources } from '#adopt/sources/open-source.ts'
import { type NewFile, writeWhole } from '#adopt/write.ts'
import { type Arguments, hasFlag, type Io, listOption, type Output } from '../../command.ts'
import { folderOperand, withProgress } from '../../output/output.ts'
import { visible } from '../../output/text.ts'

/** The new folder: its name as the user typed it, its title, and the files that every brand folder has. */
type NewFolder = {
  folder: string
  name: string
  title: string
  workspaceYaml: string
  withSchemas: (files: Readonly<Record<string, string>>) => Record<string, string>
}

/** Makes a brand folder of folders, archives, pages and style files. */
export async function initFrom(
  args: Arguments,
  io: Io,
  { folder, name, title, workspaceYaml, withSchemas }: NewFolder,
): Promise<Output> {
  await using opened = new AsyncDisposableStack()
  const named = listOption(args, 'from').map(source => ({ name: source, path: resolve(io.folder, source) }))
  const listings = await openSources(named, folder, opened)
  const [groups, exclude] = [listOption(args, 'tokens'), listOption(args, 'exclude')]
  const { report, files } = await withProgress(io, show =>
    adopt(listings, {
      title,
      groups,
      exclude,
      signal: io.signal,
      progress: (project, done, total) => show({ project, done, total }),
    }),
  )
  const isDry = hasFlag(args, 'dryRun')
  if (!isDry) {
    const texts = files.flatMap(({ to, content }) => (typeof content === 'string' ? [[to, content] as const] : []))
    const all = withSchemas({
      'workspace.yaml': workspaceYaml,
      '_adopted.md': adoptedMarkdown(report),
      ...Object.fromEntries(texts),
    })
    const written = Object.entries(all).map(([to, content]): NewFile => ({ to, content }))
    const copied = files.filter(({ content }) => typeof content !== 'string')
    await writeWhole(folder, [...written, ...copied], { signal: io.signal, inspect: async () => undefined })
  }
  for (const line of summaryLines(report)) io.err(`${visible(line)}\n`)
  return {
    json: { folder, ...report },
    text: isDry ? 'nothing was written\n' : `${visible(name)}/guidelines\n`,
    next: isDry ? [] : [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }],
  }
}
