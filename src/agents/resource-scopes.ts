import type { Scope } from '../contract/operations.ts'
import { decodeSegments } from '../exchange/target.ts'
import type { ExportFormat } from '../export/format.ts'
import { FORMATS } from '../export/formats.ts'

/** The exports that are resources of each project. */
export const EXPORTS = [
  {
    file: 'tokens.json',
    name: 'tokens',
    title: 'Design tokens',
    description: 'Colours and type styles of a project in the Design Tokens format, 2025.10',
    mimeType: 'application/json',
  },
  {
    file: 'DESIGN.md',
    name: 'design',
    title: 'DESIGN.md',
    description: 'Values and pages of a project in one file for coding agents',
    mimeType: 'text/markdown',
  },
] as const

/** The export format of a resource, by its decoded name below its project; undefined for a page. */
export function formatOfResource(name: string): ExportFormat | undefined {
  return FORMATS.find(({ file }) => file === name && EXPORTS.some(each => each.file === name))
}

/** The scopes that a resource needs, by its decoded name, since any character of a URI may be percent-encoded. */
export function scopesOfResource(uri: string, publicUrl: string): readonly Scope[] {
  const segments = uri.startsWith(`${publicUrl}/`) ? decodeSegments(uri.slice(publicUrl.length)) : undefined
  const [_workspace, _project, ...name] = segments ?? []
  return formatOfResource(name.join('/'))?.scopes ?? PAGE_SCOPES
}

const PAGE_SCOPES = ['document.read'] as const
