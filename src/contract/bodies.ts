import type { ColorValues } from '../brand/color.ts'
import type { FontMetadata, ImageMetadata } from '../brand/file.ts'
import type { ProjectStatus } from '../brand/status.ts'
import type { TypeValues } from '../brand/type-style.ts'

/** The bodies of the seven 200 replies. `schemas.ts` describes each field for the documentation. */
export type Bodies = {
  Workspace: { workspace: string; name: string }
  ProjectList: { workspace: string; projects: { id: string; name: string }[] }
  Project: {
    workspace: string
    project: string
    name: string
    status: ProjectStatus
    createdAt: string
    updatedAt: string
    url: string
    publishedAt: string
  }
  PageList: { workspace: string; project: string; pages: { id: string; name: string }[] }
  Page: { workspace: string; project: string; page: string; content: string }
  Styles: { workspace: string; project: string; colors: readonly ColorValues[]; types: readonly TypeValues[] }
  FileList: { workspace: string; project: string; files: FileEntry[] }
}

/** An entry of `files`. */
export type FileEntry = {
  filename: string
  /** bytes */
  size: number
  contentType: string
  url: string
  metadata?: FontMetadata | ImageMetadata
}
