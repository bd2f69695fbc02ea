import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderContents, writeFolder } from '../../test/support/brand-folder.ts'
import { command } from '../../test/support/command.ts'

export const WORKSPACES = 10
export const TOKENS = 2
export const PAGES = 8
const FILES = 10
const LARGE_FILE_BYTES = 20_000

/** A store with ten workspaces of published public projects, and two tokens for each workspace. */
export type Brands = { store: string[]; tokens: ReadonlyMap<string, readonly string[]>; projects: number }

/** Runs the commands of the package to make a store. `projects` is the number in each workspace. */
export async function makeBrands(bin: string, folder: string, projects: number): Promise<Brands> {
  mkdirSync(folder)
  const store = ['--data', join(folder, 'store')]
  const workspaces = numberedNames('brand', WORKSPACES)
  for (const workspace of workspaces) {
    await writeFolder(join(folder, workspace), brand(workspace, projects))
    await command(bin, 'import', join(folder, workspace), ...store)
    await command(bin, 'publish', '--all', ...store)
  }
  const tokens = new Map<string, string[]>()
  for (const workspace of workspaces) {
    const issued: string[] = []
    while (issued.length < TOKENS) issued.push((await issue(bin, workspace, store)).trim())
    tokens.set(workspace, issued)
  }
  return { store, tokens, projects }
}

function issue(bin: string, workspace: string, store: readonly string[]): Promise<string> {
  return command(bin, 'token', 'issue', workspace, ...store, '--public-url', PUBLIC_URL)
}

/** Tokens name the public URL, which must therefore be known before the service chooses a port. */
export const PUBLIC_URL = 'http://brand.test'

/** Such as `page-1`, `page-2`. */
export function numberedNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
}

function brand(workspace: string, projects: number): FolderContents {
  const contents: Record<string, string | Uint8Array> = { 'workspace.yaml': `id: ${workspace}\nname: ${workspace}\n` }
  for (const project of numberedNames('guide', projects)) {
    contents[`${project}/project.yaml`] = `name: ${project} of ${workspace}\nvisibility: public\n`
    for (const page of ['index', ...numberedNames('page', PAGES - 1)])
      contents[`${project}/pages/${page}.md`] = pageText(workspace, project, page)
    contents[`${project}/styles/colors.yaml`] = numberedNames('Colour', 20).map(colour).join('')
    contents[`${project}/styles/types.yaml`] = numberedNames('Type', 6).map(typeStyle).join('')
    for (const file of numberedNames('notes', FILES))
      contents[`${project}/files/${file}.txt`] = `${workspace} ${project} ${file}\n`
  }
  contents['guide-1/files/large.bin'] = Buffer.alloc(LARGE_FILE_BYTES, workspace)
  return contents
}

function pageText(workspace: string, project: string, page: string): string {
  const sentence = 'Keep clear space of half its height around the mark, and set nothing else into it. '
  const link = 'See [the notes](../files/notes-1.txt).\n'
  return `# ${page} of ${project}\n\n${workspace} says this.\n\n${sentence.repeat(20)}\n\n- ${link}`
}

function colour(name: string, at: number): string {
  const hex = (at * 700_001 + 0x102030).toString(16).slice(-6).padStart(6, '0')
  return `- name: ${name}\n  hex: "#${hex}"\n  cmyk: [${at}, 39, 0, 28]\n  pms: ${285 + at} C\n`
}

function typeStyle(name: string, at: number): string {
  return `- name: ${name}\n  family: Acme Sans\n  size: ${16 + at}\n  leading: 1.25\n  tracking: -0.01\n`
}
