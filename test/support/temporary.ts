import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'

/** The contents of files, keyed by path in a folder. */
export type Contents = Readonly<Record<string, string | Uint8Array>>

/** Makes a folder that is deleted after the tests of a file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'housestyle-')))
  after(() => removeFolder(folder))
  return folder
}

/** Deletes a folder, also if a cache is still being written into it. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Writes a folder with these contents, by default in a temporary folder; returns its path. */
export async function folderWith(contents: Contents, name = 'acme', parent?: string): Promise<string> {
  const folder = join(parent ?? (await temporaryFolder()), name)
  await mkdir(folder, { recursive: true })
  await writeFolder(folder, contents)
  return folder
}

/** Writes files into a folder and overwrites existing ones. */
export async function writeFolder(folder: string, contents: Contents): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
