import assert from 'node:assert/strict'
import type { Color } from '#brand/color.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { ExportedFile, ExportOptions, ExportSource } from '#delivery/export/format.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { withExport } from '#program/compose/export.ts'
import { createAddresses } from '#serving/addresses.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { URL_OF_SERVICE } from './service.ts'
import type { Contents } from './temporary.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** The result of an export: its files, keyed by path, its messages, and the source styles. */
export type MadeExport = {
  files: ReadonlyMap<string, Uint8Array>
  leftOut: readonly string[]
  colors: readonly Color[]
  types: readonly TypeStyle[]
}

/** Imports, publishes and exports a project of these files. Fails if the format needs something that the brand lacks. */
export async function exported(
  temporary: TemporaryStore,
  id: string,
  contents: Contents,
  options: ExportOptions = {},
  publicUrl = URL_OF_SERVICE,
): Promise<MadeExport> {
  const made = await exportOf(temporary, await publishIn(temporary, contents), id, options, publicUrl)
  assert.ok(made.ok, made.ok ? '' : made.problem)
  return made.value
}

/** Exports a project of these files, or returns the reason why it cannot be exported. */
export async function exporting(
  temporary: TemporaryStore,
  id: string,
  contents: Contents,
  options: ExportOptions = {},
) {
  return exportOf(temporary, await publishIn(temporary, contents), id, options)
}

/** Imports and publishes a project of these files in a new workspace; returns the id of the workspace. */
export async function publishIn(temporary: TemporaryStore, contents: Contents): Promise<string> {
  const workspace = `w${++made}`
  const folder = { 'workspace.yaml': `id: ${workspace}\nname: Acme\n`, ...within('guide', contents) }
  const { findings } = await temporary.importing(workspace, folder)
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  await temporary.publish(`${workspace}/guide`)
  return workspace
}

/** Exports the project of such a workspace, or returns the reason why it cannot be exported. */
export async function exportOf(
  temporary: TemporaryStore,
  workspace: string,
  id: string,
  options: ExportOptions = {},
  publicUrl = URL_OF_SERVICE,
) {
  const format = FORMATS.find(each => each.id === id)
  if (!format) throw new Error(`there is no format ${id}`)
  const record = await findProject(temporary.store.database, workspace, 'guide')
  if (!record) throw new Error('the project is gone')
  const urls = createAddresses(publicUrl, temporary.store.identity.fileSecret)
  return withExport(temporary.store, record, urls, async ({ source, read }) => {
    const result = await (await format.load())({ ...source, options, unsupported: [] } satisfies ExportSource)
    if (!result.ok) return result
    const { files, leftOut } = result.value
    const entries = files.map(async ({ path, content }) => [path, await bytesOf(read(content))] as const)
    const { content } = source.publication
    const [colors, types] = [await content.colors(), await content.types()]
    return { ok: true, value: { files: new Map(await Promise.all(entries)), leftOut, colors, types } } as const
  })
}

let made = 0

/** The content of the only file of an export. */
export function onlyText({ files }: MadeExport): string {
  assert.equal(files.size, 1)
  return new TextDecoder().decode([...files.values()][0])
}

function within(project: string, contents: Contents): Contents {
  return Object.fromEntries([
    [`${project}/project.yaml`, 'visibility: public\n'],
    ...Object.entries(contents).map(([path, content]) => [`${project}/${path}`, content]),
  ])
}

async function bytesOf(chunks: AsyncIterable<ExportedFile['content'] & Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk))
  return Buffer.concat(pieces)
}
