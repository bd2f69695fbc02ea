import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The contents of files, keyed by path in a folder. */
export type FolderContents = Readonly<Record<string, string | Uint8Array>>

/** Writes files into a folder and overwrites existing ones. */
export async function writeFolder(folder: string, contents: FolderContents): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
