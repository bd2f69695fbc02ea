import { join } from 'node:path'
import { type FolderContents, writeFolder } from '../../test/support/brand-folder.ts'
import { command } from '../../test/support/command.ts'

export const WORKSPACES = 10
export const TOKENS = 2
const FILE_BYTES = 20_000

/** How many projects each workspace has, and what is in each of them. */
type Size = { projects: number; pages: number; files: number }

/** Fifty projects. */
const FEW: Size = { projects: 5, pages: 8, files: 10 }

/** Ten workspaces with published projects, and two tokens for each. */
export type Brands = { store: string[]; tokens: ReadonlyMap<string, readonly string[]>; size: Size }

/** Makes a store with the brands, by the commands that users have. */
export async function makeBrands(bin: string, folder: string, size = FEW): Promise<Brands> {
  const store = ['--data', join(folder, 'store')]
  const tokens = new Map<string, string[]>()
  for (const workspace of named('brand', WORKSPACES)) {
    await writeFolder(join(folder, workspace), brand(workspace, size))
    await command(bin, 'import', join(folder, workspace), ...store)
    await command(bin, 'publish', '--all', ...store)
  }
  for (const workspace of named('brand', WORKSPACES)) {
    const made: string[] = []
    for (let at = 0; at < TOKENS; at++) made.push((await issue(bin, workspace, store)).trim())
    tokens.set(workspace, made)
  }
  return { store, tokens, size }
}

function issue(bin: string, workspace: string, store: readonly string[]): Promise<string> {
  return command(bin, 'token', 'issue', workspace, ...store, '--public-url', PUBLIC_URL)
}

/** Tokens are made for it, so it has to be known before the service listens. */
export const PUBLIC_URL = 'http://brand.test'

export function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
}

function brand(workspace: string, { projects, pages, files }: Size): FolderContents {
  const contents: Record<string, string | Uint8Array> = { 'workspace.yaml': `id: ${workspace}\nname: ${workspace}\n` }
  for (const project of named('guide', projects)) {
    contents[`${project}/project.yaml`] = `name: ${project} of ${workspace}\nvisibility: public\n`
    for (const page of ['index', ...named('page', pages - 1)])
      contents[`${project}/pages/${page}.md`] = pageText(workspace, project, page)
    contents[`${project}/styles/colors.yaml`] = named('Colour', 20).map(colour).join('')
    contents[`${project}/styles/types.yaml`] = named('Type', 6).map(typeStyle).join('')
    for (const file of named('notes', files))
      contents[`${project}/files/${file}.txt`] = `${workspace} ${project} ${file}\n`
  }
  contents['guide-1/files/large.bin'] = Buffer.alloc(FILE_BYTES, workspace)
  return contents
}

function pageText(workspace: string, project: string, page: string): string {
  const sentence = 'Keep clear space of half its height around the mark, and set nothing else into it. '
  const link = `See [the notes](../files/notes-1.txt).\n`
  return `# ${page} of ${project}\n\n${workspace} says this.\n\n${sentence.repeat(20)}\n\n- ${link.repeat(1)}`
}

function colour(name: string, at: number): string {
  const hex = (at * 700_001 + 0x102030).toString(16).slice(-6).padStart(6, '0')
  return `- name: ${name}\n  hex: "#${hex}"\n  cmyk: [${at}, 39, 0, 28]\n  pms: ${285 + at} C\n`
}

function typeStyle(name: string, at: number): string {
  return `- name: ${name}\n  family: Acme Sans\n  size: ${16 + at}\n  leading: 1.25\n  tracking: -0.01\n`
}
