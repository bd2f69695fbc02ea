import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { isWorkspaceId, slug } from '#brand/ids.ts'
import { starterFiles } from '#intake/starter/starter.ts'
import { type Arguments, hasFlag, type Io, listOption, type Run } from '../../command.ts'
import { CommandFailure, Misuse } from '../../failure.ts'
import { folderOperand } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { filesAt, listedPaths, type NewContent, type Target, writeNewFolder } from './new-folder.ts'

export const run: Run = async (args, io) => {
  const name = args.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  await requireEmpty(folder, name)
  const words = slug(basename(folder)).replaceAll('-', ' ') || 'our brand'
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  const id = [slug(basename(folder)), 'brand'].find(isWorkspaceId) ?? 'brand'
  const isDry = hasFlag(args, 'dryRun')
  await using opened = new AsyncDisposableStack()
  const target = { folder, name, title, id, isDry, opened }
  const output = await writeNewFolder(target, await contentOf(args, io, target), io)
  return { ...output, next: isDry ? [] : [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }] }
}

/** Loads the readers of sources only if there are any. */
async function contentOf(args: Arguments, io: Io, target: Target): Promise<NewContent> {
  const { folder, name, title, id } = target
  if (listOption(args, 'from').length > 0) return (await import('./init-from.ts')).adoptedContent(args, io, target)
  if (['withHidden', 'force'].some(option => hasFlag(args, option)))
    throw new Misuse('--with-hidden and --force need --from: name what you have')
  if (target.isDry || ['exclude', 'tokens'].some(option => listOption(args, option).length > 0))
    throw new Misuse('--exclude, --tokens and --dry-run need --from: name what you have')
  if (['pages', 'maxPages', 'maxSize'].some(option => args.options[option] !== undefined))
    throw new Misuse('--pages, --max-pages and --max-size need --from: name what you have')
  return {
    files: filesAt(starterFiles(title, id)),
    print: ({ paths }) => ({ json: { folder, files: paths }, text: listedPaths(name, paths) }),
  }
}

/** Refuses a folder that is not empty, apart from names such as `.git`. `name` is the folder as the user typed it. */
async function requireEmpty(folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) return
  // False if nothing is wrong.
  const why = statSync(folder).isDirectory()
    ? (await readdir(folder)).some(entry => !entry.startsWith('.')) && 'is not empty: name a new folder'
    : 'is not a folder: name a new one'
  if (why)
    throw new CommandFailure('folder_not_empty', `${visible(name)} ${why}, for example with \`housestyle init acme\``)
}
