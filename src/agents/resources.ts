import { failed, ok, type Result } from '../base/result.ts'
import { decodeSegments } from '../exchange/target.ts'
import { makeExport } from '../export/make-export.ts'
import { EXPORTS, formatOfResource } from './protocol-message.ts'
import { findPage, readPage } from './tools/pages.ts'
import { fitsReply, textPart } from './tools/reply-size.ts'
import { openProject, type Reader } from './tools/tool.ts'

/** A resource template as clients list it. Its text is constant. */
export type ResourceTemplate = {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: string
}

export type ResourceContent = { mimeType: string; text: string }

/** The resource templates: the same content as the tools, for clients that attach resources. */
export function resourceTemplates(reader: Reader): ResourceTemplate[] {
  const base = reader.isGuide ? baseOf(reader) : `${baseOf(reader)}/{project}`
  return [
    ...EXPORTS.map(({ file, ...about }) => ({ ...about, uriTemplate: `${base}/${file}` })),
    {
      name: 'page',
      title: 'Page',
      description: 'A page as Markdown. A long page ends with the offset for get_page.',
      mimeType: 'text/markdown',
      uriTemplate: `${base}/{+page}`,
    },
  ]
}

/** Reads a resource. Undefined if there is none with this URI; the problem says why an existing one cannot be read. */
export async function readResource(reader: Reader, uri: string): Promise<Result<ResourceContent, string> | undefined> {
  const base = `${baseOf(reader)}/`
  const segments = uri.startsWith(base) ? decodeSegments(uri.slice(base.length - 1)) : undefined
  if (!segments) return undefined
  const [id = '', ...rest] = reader.isGuide ? [reader.projects[0]?.project ?? '', ...segments] : segments
  const opened = openProject(reader, id)
  if (!opened.ok || opened.value.record.project !== id) return undefined
  const name = rest.join('/')
  const format = formatOfResource(name)
  if (format) {
    const { addresses, workspaceName } = reader
    const source = { publication: opened.value, workspace: workspaceName, isPublished: true, urls: addresses }
    const made = await makeExport(format, { ...source, fontFacts: () => undefined, options: {} })
    const bytes = made.ok ? made.value.files[0]?.content : undefined
    if (!made.ok) return failed(made.problem)
    if (!(bytes instanceof Uint8Array)) return undefined
    const address = `${addresses.project(opened.value.record)}/-/exports/${format.file}`
    const fix = address.startsWith('file:') ? 'Make it with `housestyle export`' : `Download it from ${address}`
    return exportContent({ mimeType: mimeTypeOf(name), text: new TextDecoder().decode(bytes) }, fix)
  }
  const page = await findPage(opened.value, name)
  if (!page) return undefined
  const { text } = await readPage(reader, opened.value, page)
  const more = (offset: number) => `Call get_page with offset ${offset} for the next part.`
  return ok({ mimeType: 'text/markdown', text: wholeOrStart(text, more) })
}

/** An export that fits into a reply; otherwise the start of Markdown, or a problem, because a part of JSON is useless. */
function exportContent({ mimeType, text }: ResourceContent, fix: string): Result<ResourceContent, string> {
  if (mimeType === 'text/markdown')
    return ok({ mimeType, text: wholeOrStart(text, () => `This is the start of a long file. ${fix}`) })
  return fitsReply(text) ? ok({ mimeType, text }) : failed(`This file is too long for a reply. ${fix}`)
}

function wholeOrStart(text: string, more: (nextOffset: number) => string): string {
  const { part, nextOffset } = textPart(text, 0)
  return nextOffset === undefined || fitsReply(text) ? text : `${part}\n\n[${more(nextOffset)}]\n`
}

function mimeTypeOf(file: string): string {
  return EXPORTS.find(each => each.file === file)?.mimeType ?? 'text/markdown'
}

function baseOf({ addresses, workspace, projects, isGuide }: Reader): string {
  const project = isGuide ? (projects[0]?.project ?? '') : ''
  return addresses.project({ workspace, project }).replace(/\/$/, '')
}
