import type { Scope } from '../contract/operations.ts'
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

/** The scopes that a resource needs. */
export function scopesOfResource(uri: string): readonly Scope[] {
  const file = uri.slice(uri.lastIndexOf('/') + 1)
  return FORMATS.find(format => EXPORTS.some(each => each.file === file) && format.file === file)?.scopes ?? PAGE_SCOPES
}

const PAGE_SCOPES = ['document.read'] as const
