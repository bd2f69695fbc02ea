import { basename, resolve } from 'node:path'
import { adopt } from '#adopt/adopt.ts'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import { openSource } from '#adopt/sources/open-source.ts'
import { writeWhole } from '#adopt/write.ts'
import { type Arguments, type Io, listOption, type Output } from '../../command.ts'
import { folderOperand } from '../../output/output.ts'
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
  const sources = listOption(args, 'from')
  await using opened = new AsyncDisposableStack()
  const listings = []
  for (const source of sources) {
    const label = sources.length > 1 ? `${basename(source)}/` : ''
    listings.push(opened.use(await openSource(resolve(io.folder, source), label, folder)))
  }
  const groups = listOption(args, 'tokens')
  const progress = (step: string) => io.err(`${step}\n`)
  const { report, files } = await adopt(listings, { title, groups, signal: io.signal, progress })
  const texts = Object.fromEntries(
    files.flatMap(({ to, content }) => (typeof content === 'string' ? [[to, content] as const] : [])),
  )
  const all = withSchemas({ 'workspace.yaml': workspaceYaml, '_adopted.md': adoptedMarkdown(report), ...texts })
  const isDry = args.options.dryRun === true
  if (!isDry) {
    const written = Object.entries(all).map(([to, content]) => ({ to, content }))
    const copied = files.filter(({ content }) => typeof content !== 'string')
    await writeWhole(folder, [...written, ...copied], io.signal)
  }
  for (const line of summaryLines(report)) io.err(`${visible(line)}\n`)
  return {
    json: { folder, ...report },
    text: isDry ? 'nothing was written\n' : `${visible(name)}/guidelines\n`,
    next: isDry ? [] : [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }],
  }
}
